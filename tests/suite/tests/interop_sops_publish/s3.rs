//! S3, of moto.

use std::sync::OnceLock;

use signet_kit::Moto;
use signet_providers::block_on;

use super::world::{BOTH, OTHER, RECIPIENT, Who, World, folder, rules};

const BUCKET: &str = "bucket";

/// Of every format, in the layout of sops.
const FILES: [(&str, &str); 5] = [
    ("a.yaml", "# about\na: hello\nnumber: 5\n"),
    ("a.json", "{\n\t\"a\": \"hello\"\n}\n"),
    ("a.env", "A=hello\n"),
    ("a.ini", "[s]\na = hello\n"),
    ("a.bin", "any bytes\n"),
];

fn moto() -> &'static Moto {
    static MOTO: OnceLock<Moto> = OnceLock::new();
    MOTO.get_or_init(|| {
        block_on(async {
            let moto = Moto::start().await?;
            moto.create_bucket(BUCKET).await?;
            Ok::<_, signet_kit::KitError>(moto)
        })
        .unwrap()
    })
}

fn world(destinations: &str) -> World {
    World::new(destinations)
        .with("AWS_ENDPOINT_URL", moto().url())
        .with("AWS_REGION", "us-east-1")
        .with("AWS_EC2_METADATA_DISABLED", "true")
        .with("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
        .with("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI")
}

fn object(key: &str) -> Option<Vec<u8>> {
    block_on(moto().object(BUCKET, key)).unwrap()
}

#[test]
fn an_object_is_the_file_byte_for_byte_and_named_after_it() {
    let rule = "- path_regex: ^{who}/\n  s3_bucket: bucket\n  s3_prefix: plain/{who}-\n";
    let world = world(&rules(rule));
    for who in BOTH {
        for (name, text) in FILES {
            let path = format!("{}/{name}", folder(who));
            world.encrypted(&path, text);
            let done = world.publish(who, &path);
            assert_eq!((done.stdout, done.stderr), (Vec::new(), String::new()));
            let there = object(&format!("plain/{}-{name}", folder(who)));
            assert_eq!(there, Some(world.bytes(&path)), "{who:?} {name}");
        }
    }
}

#[test]
fn a_question_is_asked_and_its_answer_heeded() {
    let world = world("- s3_bucket: bucket\n  s3_prefix: asked/\n");
    world.encrypted("a.yaml", "a: 1\n");
    for answer in ["y\n", "maybe\ny\n", "n\n", "", "\n", "y n\n"] {
        let [theirs, ours] = BOTH.map(|who| world.run(who, &["publish", "a.yaml"], answer));
        assert_eq!(ours.status, theirs.status, "{answer:?}");
        assert_eq!(ours.stdout, theirs.stdout, "{answer:?}");
        assert_eq!(ours.stderr, theirs.stderr, "{answer:?}");
    }
}

#[test]
fn a_folder_keeps_its_form_and_files_can_lose_their_extension() {
    let rule = "- path_regex: ^{who}/\n  s3_bucket: bucket\n  s3_prefix: tree/{who}/\n\
                - path_regex: ^{who}-omit/\n  s3_bucket: bucket\n  s3_prefix: omit/{who}/\n  omit_extensions: true\n";
    let world = world(&rules(rule));
    for who in BOTH {
        let folder = folder(who);
        for place in [folder.to_owned(), format!("{folder}-omit")] {
            for name in ["b.yaml", "sub/.c.yaml", "sub/a.enc.yaml"] {
                world.encrypted(&format!("{place}/{name}"), "a: 1\n");
            }
            let done = world.run(
                who,
                &["publish", "-y", "--recursive", &format!("./{place}")],
                "",
            );
            assert_eq!(done.status, Some(0), "{}", done.stderr);
        }
        for key in [
            "tree/{who}/b.yaml",
            "tree/{who}/sub/.c.yaml",
            "tree/{who}/sub/a.enc.yaml",
            "omit/{who}/b",
            "omit/{who}/sub/.c",
            "omit/{who}/sub/a.enc",
        ] {
            assert!(
                object(&key.replace("{who}", folder)).is_some(),
                "{who:?} {key}"
            );
        }
        let [asked, whole] = [
            &["publish", "--recursive", folder][..],
            &["publish", folder],
        ];
        let asked = world.run(who, asked, "n\nn\ny\n");
        assert_eq!(asked.status, Some(0));
        let told = String::from_utf8(asked.stdout).unwrap();
        assert_eq!(told.matches(" canceled\n").count(), 2, "{told}");
        let whole = world.run(who, whole, "");
        assert_eq!(whole.status, Some(1));
        assert!(whole.stderr.contains("without --recursive flag"));
    }
}

#[test]
fn a_recreation_rule_gives_the_object_its_own_recipients() {
    let rule = format!(
        "- path_regex: ^{{who}}/\n  s3_bucket: bucket\n  s3_prefix: anew/{{who}}-\n  recreation_rule:\n    age: {RECIPIENT},{OTHER}\n"
    );
    let world = world(&rules(&rule));
    let [theirs, ours] = BOTH.map(|who| {
        for (name, text) in FILES {
            world.encrypted(&format!("{}/{name}", folder(who)), text);
        }
        FILES.map(|(name, text)| {
            let told = world
                .publish(who, &format!("{}/{name}", folder(who)))
                .stdout;
            let there = object(&format!("anew/{}-{name}", folder(who))).unwrap();
            assert_eq!(world.decrypted(name, &there), text);
            let there = String::from_utf8(there).unwrap();
            assert!(there.contains(RECIPIENT) && there.contains(OTHER), "{name}");
            String::from_utf8(told).unwrap()
        })
    });
    assert_eq!(ours, theirs);
    assert!(ours[0].contains(&format!("+++ {OTHER}")), "{}", ours[0]);
}

/// sops drops it: all values are encrypted, and the file does not say so.
#[test]
fn a_recreation_rule_keeps_its_selector() {
    let rule = format!(
        "- path_regex: ^{{who}}/\n  s3_bucket: bucket\n  s3_prefix: chosen/{{who}}-\n  recreation_rule:\n    age: {RECIPIENT}\n    encrypted_regex: ^a$\n"
    );
    let world = world(&rules(&rule));
    let text = "a: hello\nb: seen\n";
    let [theirs, ours] = BOTH.map(|who| {
        let path = format!("{}/a.yaml", folder(who));
        world.encrypted(&path, text);
        world.publish(who, &path);
        let there = object(&format!("chosen/{}-a.yaml", folder(who))).unwrap();
        assert_eq!(world.decrypted("a.yaml", &there), text);
        String::from_utf8(there).unwrap()
    });
    assert!(
        ours.contains("b: seen\n") && ours.contains("encrypted_regex: ^a$"),
        "{ours}"
    );
    assert!(theirs.contains("b: ENC["), "{theirs}");
}

/// What sops publishes here does not decrypt any more.
#[test]
fn without_a_selector_the_usual_suffix_stays_plain_in_an_object_made_anew() {
    let rule = format!(
        "- path_regex: ^{{who}}/\n  s3_bucket: bucket\n  s3_prefix: suffix/{{who}}-\n  recreation_rule:\n    age: {RECIPIENT}\n"
    );
    let world = world(&rules(&rule));
    let text = "a: hello\nb_unencrypted: seen\n";
    for who in BOTH {
        let path = format!("{}/a.yaml", folder(who));
        world.encrypted(&path, text);
        world.publish(who, &path);
        let there = object(&format!("suffix/{}-a.yaml", folder(who))).unwrap();
        let args = ["decrypt", "--filename-override", "a.yaml"];
        let opened = world.run(Who::Peer, &args, std::str::from_utf8(&there).unwrap());
        match who {
            Who::Peer => assert_eq!(opened.status, Some(51)),
            Who::Ours => assert_eq!(String::from_utf8(opened.stdout).unwrap(), text),
        }
    }
}

#[test]
fn a_file_whose_checksum_does_not_hold_is_not_made_anew() {
    let rule = format!(
        "- s3_bucket: bucket\n  s3_prefix: tampered/\n  recreation_rule:\n    age: {OTHER}\n"
    );
    let world = world(&rule);
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
        assert!(done.stderr.starts_with("MAC mismatch."), "{}", done.stderr);
    }
    assert_eq!(object("tampered/a.yaml"), None);
}

#[test]
fn a_bucket_that_is_not_there_is_named() {
    let world = world("- s3_bucket: nobody-made-it\n");
    world.encrypted("a.yaml", "a: 1\n");
    for who in BOTH {
        let done = world.run(who, &["publish", "-y", "a.yaml"], "");
        assert_eq!(done.status, Some(1));
        assert!(done.stderr.contains("NoSuchBucket"), "{}", done.stderr);
    }
}

#[test]
fn the_default_profile_gives_credentials_and_the_region() {
    let world = World::new("- s3_bucket: bucket\n  s3_prefix: profile/\n")
        .with("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
        .with("AWS_ENDPOINT_URL_S3", moto().url())
        .with("AWS_EC2_METADATA_DISABLED", "true");
    world.write("home/.aws/config", "[default]\nregion = eu-central-1\n");
    let keys = "[default]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = x\n";
    world.write("home/.aws/credentials", keys);
    world.encrypted("a.yaml", "a: 1\n");
    for who in BOTH {
        world.publish(who, "a.yaml");
    }
    assert_eq!(object("profile/a.yaml"), Some(world.bytes("a.yaml")));
}

#[test]
fn without_credentials_or_a_region_the_remedy_is_told() {
    let rules = "- s3_bucket: bucket\n";
    let without = World::new(rules)
        .with("AWS_REGION", "us-east-1")
        .with("AWS_EC2_METADATA_DISABLED", "true");
    let nowhere = World::new(rules).with("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE");
    for (world, remedy) in [(without, "aws sso login"), (nowhere, "AWS_REGION")] {
        world.encrypted("a.yaml", "a: 1\n");
        let done = world.run(Who::Ours, &["publish", "-y", "a.yaml"], "");
        assert_eq!(done.status, Some(1));
        assert!(done.stderr.contains(remedy), "{}", done.stderr);
    }
}

#[test]
fn signatures_hold_where_they_are_checked_whatever_the_name() {
    let moto = block_on(async {
        let moto = Moto::start().await?;
        moto.create_bucket(BUCKET).await?;
        Ok::<_, signet_kit::KitError>(moto)
    })
    .unwrap();
    let (id, secret) = block_on(moto.check_signatures()).unwrap();
    let world = |secret: &str, prefix: &str| {
        let rule = format!("- s3_bucket: bucket\n  s3_prefix: {prefix:?}\n");
        let world = World::new(&rule)
            .with("AWS_ENDPOINT_URL", moto.url())
            .with("AWS_REGION", "us-east-1")
            .with("AWS_ACCESS_KEY_ID", &id)
            .with("AWS_SECRET_ACCESS_KEY", secret);
        world.encrypted("a.yaml", "a: 1\n");
        world
    };
    for prefix in ["a/b/", "a+b c/ü=1&x;", "100%/", "~!*'()"] {
        for who in BOTH {
            world(&secret, prefix).publish(who, "a.yaml");
        }
    }
    let wrong = world("not the secret", "").run(Who::Ours, &["publish", "-y", "a.yaml"], "");
    assert_eq!(wrong.status, Some(1));
    assert!(
        wrong.stderr.contains("SignatureDoesNotMatch"),
        "{}",
        wrong.stderr
    );
    assert!(!wrong.stderr.contains("not the secret"));
}
