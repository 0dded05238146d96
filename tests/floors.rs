//! The house rules of the source, checked as text.
//!
//! Every folder of `src` has a floor; a file imports from lower floors or its own folder only. Some things are done in
//! one place alone: choosing a variant, printing, starting threads, `unsafe`.

use std::fs;
use std::path::{Path, PathBuf};

/// The floors of the house, by the first part of a path below `src`.
const FLOORS: &[(&str, u32)] = &[
    ("board", 1),
    ("chart", 1),
    ("rules", 2),
    ("position", 3),
    ("index", 4),
    ("value", 4),
    ("pdn", 4),
    ("table", 5),
    ("tablebase", 6),
    ("build", 7),
    ("proof", 7),
    ("engine", 7),
    ("selfplay", 8),
    ("dataset", 8),
    ("training", 8),
    ("cli", 9),
    ("server", 9),
    ("main", 10),
    ("lib", 10),
];

/// Of two parts on one floor, the first uses the second.
const NEIGHBOURS: &[(&str, &str)] = &[("selfplay", "dataset"), ("proof", "engine")];

/// A source file: its path below `src`, with `/`, and its code without comments and without its tests.
struct Source {
    path: String,
    code: String,
}

impl Source {
    /// The folder, or the file for those that lie in `src` itself.
    fn part(&self) -> &str {
        let first = self.path.split('/').next().expect("a path has a first part");
        first.strip_suffix(".rs").unwrap_or(first)
    }

    fn floor(&self) -> u32 {
        floor(self.part()).unwrap_or_else(|| panic!("src/{} is on no floor: add it to FLOORS", self.path))
    }
}

fn floor(part: &str) -> Option<u32> {
    FLOORS.iter().find(|(name, _)| *name == part).map(|&(_, floor)| floor)
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    assert!(files.len() > 10, "the scan finds the sources");
    files.iter().map(|file| read(&root, file)).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be read") {
        let path = entry.expect("src can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn read(root: &Path, file: &Path) -> Source {
    let path = file.strip_prefix(root).expect("files lie below src").to_string_lossy().replace('\\', "/");
    let text = fs::read_to_string(file).expect("sources can be read");
    Source { path, code: code(&text) }
}

/// The text without comments and without the `mod tests` at its end.
fn code(text: &str) -> String {
    let production = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    production.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The parts of the crate that `code` names: what follows `crate::` or `endame::`, groups in braces included.
fn imports(code: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for start in ["crate::", "endame::"] {
        for (at, _) in code.match_indices(start) {
            let rest = &code[at + start.len()..];
            let Some(group) = rest.strip_prefix('{') else {
                parts.push(word(rest));
                continue;
            };
            let mut depth = 0;
            let mut fresh = true;
            for (i, c) in group.char_indices() {
                match c {
                    '}' if depth == 0 => break,
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => fresh = true,
                    c if fresh && c.is_alphabetic() => {
                        fresh = false;
                        parts.push(word(&group[i..]));
                    }
                    _ => {}
                }
            }
        }
    }
    parts
}

/// The name at the beginning of `text`.
fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The files outside `allowed` whose code holds one of `words`, as lines of a report.
fn offenders(words: &[&str], allowed: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources() {
        if allowed.iter().any(|a| source.path.starts_with(a)) {
            continue;
        }
        for word in words {
            if source.code.contains(word) {
                found.push(format!("src/{}: {word}", source.path));
            }
        }
    }
    found
}

#[test]
fn files_import_only_from_lower_floors_or_their_own_folder() {
    let mut wrong = Vec::new();
    for source in sources() {
        if source.part() == "lib" {
            continue; // It declares the floors and re-exports from them.
        }
        for part in imports(&source.code) {
            if part == source.part() || part == "with_rules" || NEIGHBOURS.contains(&(source.part(), part.as_str())) {
                continue;
            }
            // What is not a folder of ours is a name re-exported at the root, which only the top floors may use.
            let from = floor(&part).unwrap_or(8);
            if from >= source.floor() {
                wrong.push(format!("src/{} (floor {}) imports {part} (floor {from})", source.path, source.floor()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_scan_sees_imports_in_every_form() {
    let code = "use crate::board::Square;\nuse crate::{rules::{A, B}, position};\nlet x = crate::table::open();";
    assert_eq!(imports(code), ["board", "rules", "position", "table"]);
}

#[test]
fn a_variant_is_chosen_in_one_place() {
    let arms = ["Variant::International =>", "Variant::English =>", "Variant::Russian =>", "Variant::Turkish =>"];
    assert_eq!(offenders(&arms, &["rules/variant.rs"]), [""; 0]);
}

#[test]
fn only_the_command_line_prints_reads_a_clock_or_exits() {
    let words = ["println!", "print!(", "dbg!(", "stdout()", "stderr()", "Instant::now", "SystemTime", "process::exit"];
    assert_eq!(offenders(&words, &["cli/", "main.rs"]), [""; 0]);
}

#[test]
fn threads_start_in_the_upper_floors_only() {
    let words = ["thread::spawn", "thread::scope", "rayon::", "use rayon"];
    assert_eq!(offenders(&words, &["build/", "proof/", "selfplay/", "dataset/", "cli/"]), [""; 0]);
}

#[test]
fn nothing_below_the_tables_touches_files() {
    let words = ["std::fs", "fs::File", "std::net", "memmap2", "tempfile"];
    let allowed = ["table/", "tablebase", "build/", "proof/", "selfplay/", "dataset/", "cli/"];
    assert_eq!(offenders(&words, &allowed), [""; 0]);
}

#[test]
fn unsafe_code_is_in_one_file() {
    assert_eq!(offenders(&["unsafe {", "unsafe fn", "unsafe impl", "allow(unsafe"], &["table/storage.rs"]), [""; 0]);
}
