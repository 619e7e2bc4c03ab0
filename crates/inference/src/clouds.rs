//! Facts about clouds, as tables. They know no JSON and no kind, so that kinds of different APIs can read them.
//!
//! Each table says where its rows are from, and when that was read.

pub mod accelerators;
pub mod aws;
pub mod drivers;
pub mod fabrics;
pub mod google;
pub mod machines;
pub mod named_machines;
pub mod resources;
pub mod zones;

/// A cloud with managed Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cloud {
    /// Amazon Web Services, with EKS.
    Aws,
    /// Microsoft Azure, with AKS.
    Azure,
    /// Google Cloud, with GKE.
    Google,
}

impl Cloud {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Aws, Self::Azure, Self::Google];

    /// Its name, as labels and options have it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Aws => "aws",
            Self::Azure => "azure",
            Self::Google => "google",
        }
    }

    /// The name of its managed Kubernetes.
    pub const fn service(self) -> &'static str {
        match self {
            Self::Aws => "EKS",
            Self::Azure => "AKS",
            Self::Google => "GKE",
        }
    }

    /// Whether the cloud itself adds nodes to a pool when pods wait for them, where the pool says so. On AWS it takes an autoscaler that
    /// somebody installs (`latest/ug/nodes/autoscaling.adoc` of `github.com/awsdocs/amazon-eks-user-guide`).
    pub const fn adds_nodes(self) -> bool {
        match self {
            Self::Aws => false,
            Self::Azure | Self::Google => true,
        }
    }

    /// The cloud with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cloud| cloud.as_str() == name)
    }
}
