//! Names of Google Cloud that objects there have.

/// The scope of nodes: their rights are those of their account.
pub const CLOUD_PLATFORM: &str = "https://www.googleapis.com/auth/cloud-platform";
/// The image of nodes: Container-Optimized OS.
pub const NODE_IMAGE: &str = "COS_CONTAINERD";
/// Who may do everything on clusters.
pub const CONTAINER_ADMIN: &str = "roles/container.admin";
/// The API of Filestore.
pub const FILESTORE: &str = "file.googleapis.com";

/// What the workload pool of a project ends with.
const WORKLOAD_POOL: &str = ".svc.id.goog";

/// The workload pool of a project.
pub fn workload_pool(project: &str) -> String {
    format!("{project}{WORKLOAD_POOL}")
}

/// The project of a workload pool. `None` when it is none.
pub fn project(workload_pool: &str) -> Option<&str> {
    workload_pool.strip_suffix(WORKLOAD_POOL).filter(|project| !project.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workload_pools() {
        assert_eq!(project(&workload_pool("ml-prod")), Some("ml-prod"));
        assert_eq!(project(".svc.id.goog"), None);
        assert_eq!(project("ml-prod"), None);
    }
}
