//! Ctrl-C and SIGTERM.
//!
//! Work that polls [`Signals::stopped`] is asked to stop by the first signal and ended by the second. Everything else
//! is ended by the first. The exit code is 130 either way.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The state of the signals that ask the program to stop.
#[derive(Clone, Debug)]
pub struct Signals {
    stopped: Arc<AtomicBool>,
    ends_at_once: Arc<AtomicBool>,
}

impl Signals {
    /// Catches the signals from now on; until [`Signals::poll`] is called the first one ends the program.
    pub fn catch() -> io::Result<Self> {
        let signals =
            Signals { stopped: Arc::new(AtomicBool::new(false)), ends_at_once: Arc::new(AtomicBool::new(true)) };
        for signal in [SIGINT, SIGTERM] {
            // Actions run in the order of registration: the second signal finds what the first has set.
            flag::register_conditional_shutdown(signal, 130, signals.ends_at_once.clone())?;
            flag::register(signal, signals.ends_at_once.clone())?;
            flag::register(signal, signals.stopped.clone())?;
        }
        // Where a limit on the size of files is met, writing fails with an error that names the file instead.
        #[cfg(unix)]
        flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
        Ok(signals)
    }

    /// From now on the first signal only asks to stop.
    pub fn poll(&self) {
        self.ends_at_once.store(self.stopped(), Ordering::SeqCst);
    }

    /// From now on the first signal ends the program again.
    pub fn end_at_once(&self) {
        self.ends_at_once.store(true, Ordering::SeqCst);
    }

    /// Whether a signal has asked to stop.
    pub fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
