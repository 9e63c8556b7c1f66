//! The most memory that this process ever had.

/// Peak of the resident set in KiB; none where the system does not say (only Linux does, as
/// `VmHWM`).
pub(crate) fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok())
}
