//! What people meet in objects and their status is told in the documentation.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

const CONSTANTS: &str = include_str!("../src/constants.rs");
const PAGE: &str = include_str!("../../docs/controller.md");

/// The texts that are constants of a module, in order.
fn constants(module: &str) -> Vec<&'static str> {
    let (_, after) = CONSTANTS
        .split_once(&format!("pub mod {module} {{"))
        .unwrap();
    let (body, _) = after.split_once("\n}").unwrap();
    let values = body.split("pub const ").skip(1).map(|constant| {
        let (_, after) = constant.split_once('"').unwrap();
        after.split_once('"').unwrap().0
    });
    values.collect()
}

#[test]
fn every_annotation_condition_reason_and_event_is_told_in_the_page_of_the_controller() {
    // Not ours: they are only taken off. And a sentence that is no name.
    let not_ours = |text: &str| text.starts_with("kubectl.") || text.contains(' ');
    for (module, least) in [
        ("annotation", 9),
        ("condition", 4),
        ("reason", 13),
        ("event", 5),
    ] {
        let names = constants(module);
        assert!(names.len() >= least, "{module}: {names:?}");
        let missing: Vec<_> = names
            .into_iter()
            .filter(|name| !not_ours(name) && !PAGE.contains(&format!("`{name}`")))
            .collect();
        assert_eq!(missing, [""; 0], "{module}");
    }
}
