//! Work shared by the threads of a pool.
//!
//! Everything that builds is compiled for each variant and kind of value, and so would be all that rayon wraps around a
//! parallel iterator: several times what it runs. Here the pool is reached by functions that are compiled once, and what
//! is compiled for each kind of task is little.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Runs `work` on every thread of the pool.
fn on_every_thread(work: &(dyn Fn() + Sync)) {
    rayon::scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
        work();
    });
}

/// Runs both, on two threads if there are.
pub fn both(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    rayon::join(first, second);
}

/// What `work` makes of each of `tasks`, in their order. Threads take one after the other; each has a state of its own,
/// made by `state`.
///
/// # Errors
/// That of the first task that fails; those not begun by then are left out.
pub fn try_map_with<S, T: Send, U: Send, E: Send>(
    tasks: impl IntoIterator<Item = T, IntoIter: Send>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> Result<U, E> + Sync,
) -> Result<Vec<U>, E> {
    let (queue, stopped) = (Mutex::new(tasks.into_iter().enumerate()), AtomicBool::new(false));
    let (done, failed) = (Mutex::new(Vec::<Option<U>>::new()), Mutex::new(None::<(usize, E)>));
    on_every_thread(&|| {
        let _guard = StopIfPanicking(&stopped);
        let (mut own, mut mine) = (None, Vec::new());
        while !stopped.load(Ordering::Relaxed) {
            let next = lock(&queue).next();
            let Some((number, task)) = next else { break };
            match work(own.get_or_insert_with(&state), task) {
                Ok(made) => mine.push((number, made)),
                Err(error) => {
                    stopped.store(true, Ordering::Relaxed);
                    let mut failed = lock(&failed);
                    if failed.as_ref().is_none_or(|&(first, _)| number < first) {
                        *failed = Some((number, error));
                    }
                }
            }
        }
        let mut done = lock(&done);
        for (number, made) in mine {
            if done.len() <= number {
                done.resize_with(number + 1, || None);
            }
            done[number] = Some(made);
        }
    });
    match into_inner(failed) {
        Some((_, error)) => Err(error),
        None => Ok(into_inner(done).into_iter().flatten().collect()),
    }
}

/// Stops the other threads if this one panics.
struct StopIfPanicking<'a>(&'a AtomicBool);

impl Drop for StopIfPanicking<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// As [`try_map_with`], where nothing fails.
pub fn map_with<S, T: Send, U: Send>(
    tasks: impl IntoIterator<Item = T, IntoIter: Send>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> U + Sync,
) -> Vec<U> {
    let Ok(all) = try_map_with(tasks, state, |state, task| Ok::<U, Infallible>(work(state, task)));
    all
}

/// As [`map_with`], without a state.
pub fn map<T: Send, U: Send>(
    tasks: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(T) -> U + Sync,
) -> Vec<U> {
    map_with(tasks, || (), |(), task| work(task))
}

/// The numbers below `count` in some hundred ranges, which begin with multiples of `unit`.
pub fn ranges(count: u64, unit: u64) -> impl Iterator<Item = Range<u64>> + Send {
    /// Enough of them that threads end together.
    const RANGES: u64 = 256;
    let len = count.div_ceil(RANGES).next_multiple_of(unit).max(unit);
    (0..count.div_ceil(len)).map(move |i| i * len..((i + 1) * len).min(count))
}

/// What a lock holds.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread panics with the lock")
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().expect("no thread panics with the lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
    }

    #[test]
    fn what_threads_make_comes_in_the_order_of_the_tasks() {
        for threads in [1, 3] {
            let squares = pool(threads).install(|| map(0..1000u64, |n| n * n));
            assert_eq!(squares, (0..1000).map(|n| n * n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_the_work_and_is_told() {
        for threads in [1, 3] {
            let told =
                pool(threads).install(|| try_map_with(0.., || (), |(), n: u64| if n == 500 { Err(n) } else { Ok(()) }));
            assert_eq!(told, Err(500));
        }
    }

    #[test]
    fn ranges_are_all_numbers_once() {
        for (count, unit) in [(0, 1), (1, 64), (255, 1), (257, 1), (100_000, 64)] {
            let mut next = 0;
            for range in ranges(count, unit) {
                assert_eq!((range.start, range.start % unit), (next, 0));
                next = range.end;
            }
            assert_eq!(next, count);
        }
    }

    #[test]
    fn every_thread_has_a_state_of_its_own() {
        let counts = pool(2).install(|| {
            map_with(
                0..1000,
                || 0,
                |count, _: i32| {
                    *count += 1;
                    *count
                },
            )
        });
        assert_eq!(counts.len(), 1000);
        assert!(counts.iter().filter(|&&count| count == 1).count() <= 2);
    }
}
