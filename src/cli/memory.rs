//! Sizes in bytes, as people write them.

/// Reads a size such as `8G`, `512M`, `64KiB` or `1000000`; the letters stand for powers of 1024.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let shift = match unit.trim().to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return Err("expected a number with K, M, G or T behind it, such as 8G or 512M".to_string()),
    };
    let number: u64 = number.parse().map_err(|_| "expected a number first, such as 8G or 512M".to_string())?;
    number.checked_mul(1 << shift).filter(|&bytes| bytes > 0).ok_or_else(|| "not a possible size".to_string())
}

/// Address space that every thread takes whatever it does: the reserve of its allocator.
const THREAD_BYTES: u64 = 64 << 20;

/// The bytes of memory that a build of `threads` threads may take: what was `asked`, else what is free now, if the
/// system tells (Linux does); and no more than the limits set for this process leave.
pub fn allowed(asked: Option<u64>, threads: usize) -> Option<u64> {
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limits = group.into_iter().filter_map(|path| number(&std::fs::read_to_string(path).ok()?));
    let space = line("/proc/self/limits", "Max address space");
    // The program and its own threads are there already; those of the build are not.
    let mapped = line("/proc/self/status", "VmSize:").unwrap_or(0) << 10;
    let space = space.map(|bytes| bytes.saturating_sub(mapped + THREAD_BYTES * (threads as u64 + 1)));
    let wanted = asked.or_else(|| line("/proc/meminfo", "MemAvailable:").map(|kilobytes| kilobytes << 10));
    limits.chain(space).chain(wanted).min()
}

/// The number in the line of a file that begins with `name`; none for `unlimited`.
fn line(path: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| number(line.strip_prefix(name)?))
}

fn number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

/// Writes a number of bytes for people: `1.5 GiB`.
pub fn show_size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let unit = (bytes.max(1).ilog2() / 10).min(4);
    if unit == 0 {
        return format!("{bytes} bytes");
    }
    format!("{:.1} {}", bytes as f64 / (1u64 << (10 * unit)) as f64, UNITS[unit as usize])
}

/// Writes a number with commas between the thousands.
pub fn show_count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_every_usual_way() {
        assert_eq!(parse_size("8G"), Ok(8 << 30));
        assert_eq!(parse_size("512m"), Ok(512 << 20));
        assert_eq!(parse_size("64KiB"), Ok(64 << 10));
        assert_eq!(parse_size("1000000"), Ok(1_000_000));
        for wrong in ["", "G", "8X", "-8G", "8.5G", "99999999999T", "0"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_shown_for_people() {
        assert_eq!(show_size(999), "999 bytes");
        assert_eq!(show_size(3 << 29), "1.5 GiB");
        assert_eq!(show_count(7), "7");
        assert_eq!(show_count(921_200), "921,200");
        assert_eq!(show_count(1_000_000), "1,000,000");
    }
}
