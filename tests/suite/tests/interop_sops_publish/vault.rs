//! Both versions of Vault's key-value engine, of `OpenBao`.

use std::sync::OnceLock;

use serde_json::{Value as Json, json};
use signet_kit::OpenBao;
use signet_kit::openbao::TOKEN;
use signet_providers::block_on;

use super::world::{BOTH, Who, World, folder, rules};

/// With `secret/` of version 2, as it comes, and `kv/` of version 1.
fn bao() -> &'static OpenBao {
    static BAO: OnceLock<OpenBao> = OnceLock::new();
    BAO.get_or_init(|| {
        block_on(async {
            let bao = OpenBao::start().await?;
            let engine = json!({"type": "kv", "options": {"version": "1"}});
            bao.write("sys/mounts/kv", &engine).await?;
            Ok::<_, signet_kit::KitError>(bao)
        })
        .unwrap()
    })
}

fn world(destinations: &str) -> World {
    World::new(destinations)
        .with("VAULT_ADDR", bao().url())
        .with("VAULT_TOKEN", TOKEN)
}

/// Null where there is nothing.
fn read(path: &str) -> Json {
    block_on(bao().read(path)).unwrap_or_default()["data"].clone()
}

const FILES: [(&str, &str); 6] = [
    (
        "a.yaml",
        "# about\na: hello\nn: 5\nf: 1.5\nbig: 123456789.25\nt: 2024-01-01\nb: true\nnothing: null\n\
         empty: \"\"\nlist: [1, x, [2]]\nmap: {k: {deep: v}}\n",
    ),
    ("many.yaml", "a: 1\n---\na: 2\nb: 3\n"),
    ("a.json", "{\"a\": \"<&>\", \"o\": {}}\n"),
    ("a.env", "A=hello\n"),
    ("a.ini", "[s]\na = hello\n"),
    ("a.bin", "any bytes\n"),
];

#[test]
fn a_secret_has_the_values_of_the_file_in_both_versions_of_the_engine() {
    let address = format!("  vault_address: {}\n", bao().url());
    let rule = format!(
        "- path_regex: ^{{who}}-1/\n  vault_path: {{who}}\n  vault_kv_mount_name: kv\n  vault_kv_version: 1\n{address}\
         - path_regex: ^{{who}}-2/\n  vault_path: {{who}}/deep/\n"
    );
    let world = world(&rules(&rule));
    for (name, text) in FILES {
        let [theirs, ours] = BOTH.map(|who| {
            let folder = folder(who);
            for version in [1, 2] {
                let path = format!("{folder}-{version}/{name}");
                world.encrypted(&path, text);
                let done = world.publish(who, &path);
                assert_eq!((done.stdout, done.stderr), (Vec::new(), String::new()));
            }
            let one = read(&format!("kv/{folder}/{name}"));
            let two = read(&format!("secret/data/{folder}/deep/{name}"));
            assert_eq!(two["data"], one, "{who:?} {name}");
            one
        });
        assert!(ours.is_object());
        assert_eq!(ours, theirs, "{name}");
    }
}

/// sops makes lists of keys and values, and null.
#[test]
fn a_mapping_in_a_list_and_an_empty_list_stay_so() {
    let world = world("- vault_path: in-list/\n");
    world.encrypted("a.yaml", "l:\n    - k: v\ne: []\n");
    world.publish(Who::Peer, "a.yaml");
    let theirs = json!({"l": [[{"Key": "k", "Value": "v"}]], "e": null});
    assert_eq!(read("secret/data/in-list/a.yaml")["data"], theirs);
    world.publish(Who::Ours, "a.yaml");
    let ours = json!({"l": [{"k": "v"}], "e": []});
    assert_eq!(read("secret/data/in-list/a.yaml")["data"], ours);
}

/// sops writes numbers, and version 1, every time.
#[test]
fn what_is_there_already_is_not_written_again() {
    let rule = "- path_regex: ^{who}/\n  vault_path: again/{who}\n";
    let world = world(&rules(rule));
    let version = |who: Who, text: &str| {
        let path = format!("{}/a.yaml", folder(who));
        world.encrypted(&path, text);
        world.publish(who, &path);
        read(&format!("secret/data/again/{}/a.yaml", folder(who)))["metadata"]["version"].clone()
    };
    for who in BOTH {
        assert_eq!(version(who, "a: x\n"), 1);
        assert_eq!(version(who, "a: x\n"), 1);
        assert_eq!(version(who, "a: y\n"), 2);
    }
    assert_eq!(version(Who::Ours, "a: y\nn: 5\nf: 1.5\n"), 3);
    assert_eq!(version(Who::Ours, "a: y\nn: 5\nf: 1.5\n"), 3);
}

#[test]
fn who_may_write_and_not_read_publishes_with_a_warning() {
    let token = block_on(async {
        let policy = json!({"policy": "path \"secret/data/blind/*\" { capabilities = [\"create\", \"update\"] }"});
        bao().write("sys/policies/acl/blind", &policy).await?;
        bao()
            .write("auth/token/create", &json!({"policies": ["blind"]}))
            .await
    });
    let token = token.unwrap()["auth"]["client_token"]
        .as_str()
        .unwrap()
        .to_owned();
    let world = world("- vault_path: blind/\n").with("VAULT_TOKEN", &token);
    world.encrypted("a.yaml", "a: x\n");
    for who in BOTH {
        let done = world.publish(who, "a.yaml");
        assert!(
            done.stderr
                .contains("Cannot check if destination secret already exists")
        );
    }
    assert_eq!(read("secret/data/blind/a.yaml")["metadata"]["version"], 2);
}

#[test]
fn what_is_asked_is_asked_in_the_same_words() {
    let world = world("- vault_path: asked/\n");
    world.encrypted("a.yaml", "a: x\n");
    let [theirs, ours] = BOTH.map(|who| world.run(who, &["publish", "a.yaml"], "n\n"));
    assert_eq!(
        (ours.status, ours.stdout, ours.stderr),
        (theirs.status, theirs.stdout, theirs.stderr)
    );
    assert_eq!(read("secret/data/asked/a.yaml"), Json::Null);
}

#[test]
fn no_values_of_a_file_that_was_tampered_with_are_published() {
    let world = world("- vault_path: tampered/\n");
    world.encrypted("a.yaml", "a: 1\nb: 2\n");
    let text = String::from_utf8(world.bytes("a.yaml")).unwrap();
    let cut: Vec<_> = text
        .lines()
        .filter(|line| !line.starts_with("b: "))
        .collect();
    world.write("a.yaml", &(cut.join("\n") + "\n"));
    for who in BOTH {
        let done = world.run(who, &["publish", "-y", "a.yaml"], "");
        assert_eq!(done.status, Some(51), "{}", done.stderr);
    }
    assert_eq!(read("secret/data/tampered/a.yaml"), Json::Null);
}

#[test]
fn refusals_say_what_to_do_and_show_no_token() {
    let world = world("- vault_path: refused/\n").with("VAULT_TOKEN", "s.wrong");
    world.encrypted("a.yaml", "a: x\n");
    let done = world.run(Who::Ours, &["publish", "-y", "a.yaml"], "");
    assert_eq!(done.status, Some(1));
    let told = done.stderr;
    assert!(
        told.contains("secret/data/refused/a.yaml") && told.contains("permission denied"),
        "{told}"
    );
    assert!(
        told.contains("expired") && !told.contains("s.wrong"),
        "{told}"
    );
}
