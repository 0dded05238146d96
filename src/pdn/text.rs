//! The marks of a game file.
