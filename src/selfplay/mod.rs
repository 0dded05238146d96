//! Games of the program against itself.
