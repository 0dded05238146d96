//! Progress on the standard error: a bar on a terminal, plain lines otherwise.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use endame::build::Progress;

use crate::cli::memory::show_count;
use crate::cli::signals::Signals;

/// The time between two plain lines of one task.
const QUIET: Duration = Duration::from_secs(10);

/// A bar with rate and time left.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    signals: Signals,
}

/// Lines for a log: each task when it begins, and how far it is every ten seconds.
#[derive(Debug)]
pub struct Lines {
    task: Mutex<Task>,
    done: AtomicU64,
    signals: Signals,
}

#[derive(Debug)]
struct Task {
    what: String,
    total: u64,
    began: Instant,
    said: Instant,
}

/// The progress that suits the standard error; from now on signals are polled.
pub fn progress(signals: &Signals) -> Box<dyn Progress> {
    signals.poll();
    let signals = signals.clone();
    if io::stderr().is_terminal() {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        Box::new(Bar { bar, signals })
    } else {
        let now = Instant::now();
        let task = Task { what: String::new(), total: 0, began: now, said: now };
        Box::new(Lines { task: Mutex::new(task), done: AtomicU64::new(0), signals })
    }
}

impl Progress for Bar {
    fn start(&self, what: &str, total: u64) {
        let template = if total > 0 {
            "{msg:24!} {bar:30} {human_pos}/{human_len} {rate} a second, {eta} left"
        } else {
            "{msg:24!} {human_pos} {rate} a second"
        };
        let style = ProgressStyle::with_template(template).expect("the templates are right");
        let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
            // A bar that cannot be drawn is no reason to stop.
            let _ = text.write_str(&show_count(state.per_sec() as u64));
        };
        self.bar.set_style(style.progress_chars("=> ").with_key("rate", rate));
        self.bar.set_length(total);
        self.bar.set_message(what.to_string());
        self.bar.reset();
    }

    fn advance(&self, done: u64) {
        self.bar.inc(done);
    }

    fn note(&self, line: &str) {
        self.bar.println(line);
    }

    fn stopped(&self) -> bool {
        self.signals.stopped()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Lines {
    fn start(&self, what: &str, total: u64) {
        let now = Instant::now();
        *self.task.lock().expect("no holder panics") = Task { what: what.to_string(), total, began: now, said: now };
        self.done.store(0, Ordering::Relaxed);
        say(what);
    }

    fn advance(&self, done: u64) {
        let done = self.done.fetch_add(done, Ordering::Relaxed) + done;
        // Whoever finds the task in use lets it be: another thread is about to say the same.
        let Ok(mut task) = self.task.try_lock() else { return };
        if task.said.elapsed() < QUIET {
            return;
        }
        task.said = Instant::now();
        let rate = (done as f64 / task.began.elapsed().as_secs_f64()) as u64;
        let of = if task.total > 0 { format!(" of {}", show_count(task.total)) } else { String::new() };
        let left = match task.total.saturating_sub(done).checked_div(rate) {
            Some(seconds) if task.total > 0 => format!(", {seconds} s left"),
            _ => String::new(),
        };
        say(&format!("{}: {}{of}, {} a second{left}", task.what, show_count(done), show_count(rate)));
    }

    fn note(&self, line: &str) {
        say(line);
    }

    fn stopped(&self) -> bool {
        self.signals.stopped()
    }
}

/// Writes a line to the standard error; nobody needs to know if that fails.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
