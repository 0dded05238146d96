//! Running the program.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program with the tables of `tables`, and none of the caller's settings.
pub fn endame(tables: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endame"));
    command.env("ENDAME_TABLES", tables).stdin(Stdio::null());
    command
}

/// Runs the program; `arguments` are cut at blanks.
pub fn run(tables: &Path, arguments: &str) -> Output {
    endame(tables).args(arguments.split(' ')).output().expect("the program runs")
}

/// Runs the program with `input`, and waits for its end.
pub fn run_with_input(tables: &Path, arguments: &str, input: Vec<u8>) -> Output {
    let mut child = endame(tables)
        .args(arguments.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut stdin = child.stdin.take().expect("the input is piped");
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends").expect("all input is read");
    output
}

/// The exit code; a signal is a failure of the test.
pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("ended by a signal: {output:?}"))
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("answers are UTF-8")
}

/// The error message, which must be the only line on the standard error.
pub fn error_line(output: &Output) -> &str {
    let text = std::str::from_utf8(&output.stderr).expect("messages are UTF-8");
    let line = text.strip_suffix('\n').unwrap_or_else(|| panic!("no line: {text:?}"));
    assert!(line.starts_with("endame: ") && !line.contains('\n'), "one line of the program: {text:?}");
    line
}

/// The error message, after lines about the work or about single games.
pub fn last_error_line(output: &Output) -> &str {
    let text = std::str::from_utf8(&output.stderr).expect("messages are UTF-8");
    let line = text.lines().last().unwrap_or_else(|| panic!("no line: {output:?}"));
    assert!(line.starts_with("endame: ") && text.ends_with('\n'), "a line of the program: {text:?}");
    line
}

/// The answer of a command with `--json`.
pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}
