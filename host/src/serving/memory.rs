//! The memory that the process may use.

use std::fs;
use std::path::{Path, PathBuf};

/// What to assume when the system does not say it, in bytes.
const UNKNOWN: u64 = 1 << 30;

/// The memory that the process may use, in bytes: the limit of its cgroup or of a cgroup around it, or the memory of the
/// machine when that is less.
pub fn memory() -> u64 {
    memory_below(Path::new("/"))
}

/// The memory that a process may use whose files are below `root`.
fn memory_below(root: &Path) -> u64 {
    let machine = fs::read_to_string(root.join("proc/meminfo")).ok().and_then(|text| machine(&text));
    let cgroups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = cgroups.lines().filter_map(|line| limit_file(&root.join("sys/fs/cgroup"), line)).flat_map(smallest);
    limits.chain(machine).min().unwrap_or(UNKNOWN)
}

/// The line `MemTotal:       24684180 kB` of `/proc/meminfo`, in bytes.
fn machine(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Where the limit of a cgroup is: the folder that all cgroups are in, the path of the cgroup, and the name of the file.
struct LimitFile {
    mounted: PathBuf,
    path: PathBuf,
    name: &'static str,
}

/// The file for a line of `/proc/self/cgroup`: `0::/path` (version 2), or `9:memory:/path` (version 1).
fn limit_file(mounted: &Path, line: &str) -> Option<LimitFile> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?.trim_start_matches('/').into());
    if controllers.is_empty() {
        return Some(LimitFile { mounted: mounted.to_owned(), path, name: "memory.max" });
    }
    let has_memory = controllers.split(',').any(|controller| controller == "memory");
    has_memory.then(|| LimitFile { mounted: mounted.join("memory"), path, name: "memory.limit_in_bytes" })
}

/// The smallest limit of a cgroup and those around it. In a container, the outermost folder is often the cgroup of the
/// container, whatever its path is.
fn smallest(LimitFile { mounted, path, name }: LimitFile) -> Option<u64> {
    let limit = |folder: &Path| fs::read_to_string(mounted.join(folder).join(name)).ok()?.trim().parse().ok();
    path.ancestors().filter_map(limit).min() // without a limit the file has the text `max`
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal:        4096 kB\nMemFree:          100 kB\n");
        const V2: (&str, &str) = ("proc/self/cgroup", "0::/pods/a\n");
        const V1: (&str, &str) = ("proc/self/cgroup", "9:cpu,memory:/pods/a\n3:cpuset:/pods/a\n");
        //    files                                                                        bytes
        for (name, files, bytes) in [
            ("nothing", &[][..], UNKNOWN),
            ("machine", &[MACHINE], 4096 << 10),
            ("no limit", &[MACHINE, V2, ("sys/fs/cgroup/pods/a/memory.max", "max\n")], 4096 << 10),
            ("own", &[MACHINE, V2, ("sys/fs/cgroup/pods/a/memory.max", "1000\n")], 1000),
            ("around", &[MACHINE, V2, ("sys/fs/cgroup/pods/memory.max", "2000\n")], 2000),
            (
                "smallest",
                &[
                    MACHINE,
                    V2,
                    ("sys/fs/cgroup/pods/memory.max", "900\n"),
                    ("sys/fs/cgroup/pods/a/memory.max", "1000\n"),
                ],
                900,
            ),
            ("container", &[MACHINE, V2, ("sys/fs/cgroup/memory.max", "3000\n")], 3000),
            ("more than there is", &[MACHINE, V2, ("sys/fs/cgroup/memory.max", "99999999999\n")], 4096 << 10),
            ("version 1", &[MACHINE, V1, ("sys/fs/cgroup/memory/pods/a/memory.limit_in_bytes", "1000\n")], 1000),
            ("version 1, container", &[MACHINE, V1, ("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n")], 1000),
            ("another controller", &[MACHINE, V1, ("sys/fs/cgroup/memory.max", "1000\n")], 4096 << 10),
        ] {
            let root = std::env::temp_dir().join(format!("sailplane-memory-{}-{name}", std::process::id()));
            for (path, text) in files {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            assert_eq!(memory_below(&root), bytes, "{name}");
            let _ = fs::remove_dir_all(&root);
        }
    }

    #[test]
    fn this_machine_has_memory() {
        assert!(memory() > 64 << 20);
    }
}
