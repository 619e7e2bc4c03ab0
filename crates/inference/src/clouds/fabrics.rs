//! Fast networks between nodes, and the network cards that machines have for them.

/// A machine type with Elastic Fabric Adapter (EFA).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EfaMachine {
    /// Its name in EC2.
    pub name: &'static str,
    /// Its network cards: each can have one interface for EFA.
    pub cards: u8,
}

/// Machine types of AWS with several network cards, as Modelplane v0.3.1 has them. A machine that is not here has one, if it has EFA.
pub const EFA_MACHINES: &[EfaMachine] = &[
    EfaMachine { name: "p5.48xlarge", cards: 32 },
    EfaMachine { name: "p5e.48xlarge", cards: 32 },
    EfaMachine { name: "p5en.48xlarge", cards: 16 },
    EfaMachine { name: "p4d.24xlarge", cards: 4 },
    EfaMachine { name: "p4de.24xlarge", cards: 4 },
];

/// Machine types of [`MACHINES`](super::machines::MACHINES) that have no EFA. Those of G4dn and G5 are not in the list of
/// `doc_source/efa.md` of `github.com/awsdocs/amazon-ec2-user-guide` (0147f878, read on 2026-11-25). It is older than G6 and G6e, whose
/// smallest sizes are taken to be as those of G5: that is not verified.
pub const WITHOUT_EFA: &[&str] = &["g4dn.xlarge", "g5.xlarge", "g5.2xlarge", "g6.xlarge", "g6.2xlarge", "g6e.xlarge"];

/// How many network cards of a machine type can have an interface for EFA.
pub fn efa_cards(machine: &str) -> u8 {
    EFA_MACHINES.iter().find(|it| it.name == machine).map_or(1, |it| it.cards)
}

/// Whether a machine type is known to have no EFA. One that nobody knows may have it.
pub fn lacks_efa(machine: &str) -> bool {
    WITHOUT_EFA.contains(&machine)
}

/// Whether the name of a size of virtual machines in Azure says that it has InfiniBand: by Azure's conventions for these names an `r`,
/// for RDMA, is among the letters after the number of CPUs.
pub fn has_infiniband(vm_size: &str) -> bool {
    let series = vm_size.strip_prefix("Standard_").and_then(|name| name.split('_').next()).unwrap_or_default();
    let features = series.rsplit(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
    features.contains('r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clouds::Cloud;
    use crate::clouds::machines::Machine;

    #[test]
    fn network_cards() {
        let check =
            |machine, cards, lacks| assert_eq!((efa_cards(machine), lacks_efa(machine)), (cards, lacks), "{machine}");
        check("p5.48xlarge", 32, false);
        check("p5e.48xlarge", 32, false);
        check("p5en.48xlarge", 16, false);
        check("p4d.24xlarge", 4, false);
        check("p4de.24xlarge", 4, false);
        check("g6.12xlarge", 1, false);
        check("g6.xlarge", 1, true);
        check("unheard.of", 1, false);
        assert!(WITHOUT_EFA.iter().all(|name| Machine::named(Cloud::Aws, name).is_some()));
    }

    #[test]
    fn infiniband() {
        let check = |size, want| assert_eq!(has_infiniband(size), want, "{size}");
        check("Standard_ND96isr_H100_v5", true);
        check("Standard_ND96isr_H200_v5", true);
        check("Standard_ND96asr_v4", true);
        check("Standard_NC40ads_H100_v5", false);
        check("Standard_NV36ads_A10_v5", false);
        check("Standard_D4s_v5", false);
        check("odd", false);
    }
}
