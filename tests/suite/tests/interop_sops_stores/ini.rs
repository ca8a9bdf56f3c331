//! INI files.

use signet_documents::sops::FileFormat::Ini;
use signet_documents::sops::selector::SelectorSpec;

use crate::peer::Peer;

/// Files in sops' own layout.
const LAID_OUT: [&str; 7] = [
    "a = 1\n\n[s]\nlong = x\nb    = two words\n",
    "; top\n[s]\n; of a\n# more\na = 1\n",
    "[s]\na = `x;y`\nb = \"\"\"one\n  two`\n\"\"\"\nc = \" spaced \"\n",
    "[s]\n`a=b`     = 1\n`c\"d`     = 2\n\"\"\"e`f\"\"\" = 3\n",
    "[s]\na = 1\n\n[s]\na = 2\n\n[DEFAULT]\nb = 3\n",
    "[s]\nempty = \nurl   = https://u:p@h/?a=b&c=d\nx     = é😀\n",
    "[s]\na_unencrypted = plain\nb             = x\n",
];

/// Files as people write them, and what sops makes of them.
const WRITTEN: [(&str, &str); 8] = [
    ("a=1\n\n\n[s]\nb : 2\n", "a = 1\n\n[s]\nb = 2\n"),
    ("[s]\n\ta = \"x y\"\n  b = 'z'\n", "[s]\na = x y\nb = z\n"),
    ("[s]\na = x # why\n", "[s]\n; why\na = x\n"),
    ("[s] ; about\na = 1\n", "; about\n[s]\na = 1\n"),
    ("[s]\r\na = 1\r\nb = 2\r\n", "[s]\na = 1\nb = 2\n"),
    ("[s]\na = x\\\n  y\n", "[s]\na = xy\n"),
    ("[s]\na = \"\"\"x\ny\"\"\"\n", "[s]\na = \"\"\"x\ny\"\"\"\n"),
    (
        "; one\n\n; two\n[s]\n;three\na = 1",
        "; one\n; two\n[s]\n; three\na = 1\n",
    ),
];

#[test]
fn sops_reads_the_ini_files_of_signet() {
    let peer = Peer::new();
    for plain in LAID_OUT {
        let file = peer.signet_encrypt(Ini, plain);
        assert_eq!(peer.decrypt(Ini, &file), plain);
    }
    for (plain, laid_out) in WRITTEN {
        let file = peer.signet_encrypt(Ini, plain);
        assert_eq!(peer.decrypt(Ini, &file), laid_out, "{plain:?}");
    }
}

#[test]
fn signet_reads_the_ini_files_of_sops() {
    let peer = Peer::new();
    for plain in LAID_OUT {
        let file = peer.encrypt(Ini, plain);
        assert_eq!(peer.signet_decrypt(Ini, &file), plain);
    }
    for (plain, laid_out) in WRITTEN {
        let file = peer.encrypt(Ini, plain);
        assert_eq!(peer.signet_decrypt(Ini, &file), laid_out, "{plain:?}");
    }
}

#[test]
fn the_layout_of_an_ini_file_stays() {
    let peer = Peer::new();
    for plain in [
        "a=1\n\n\n[s]\nb : 2\n",
        "[s]\n\ta = \"x y\"\n  b = 'z'\n",
        "; about\n[s]\na = x # why\n",
        "[s]\r\na = 1\r\n\r\n; c\r\nb = 2\r\n",
        "[s]\na = \"\"\"x\ny\"\"\"\n- = dash\n",
        "[s]\na = 1\n\n; the end\n",
    ] {
        let file = peer.signet_encrypt(Ini, plain);
        assert_eq!(peer.signet_decrypt(Ini, &file), plain);
    }
}

#[test]
fn selectors_mean_the_same_in_ini_files() {
    let peer = Peer::new();
    let plain = "; about\n[s]\n; of password\npassword = x\nhost     = h\n";
    for selector in [
        SelectorSpec::EncryptedRegex("^pass".to_owned()),
        SelectorSpec::UnencryptedRegex("host".to_owned()),
        SelectorSpec::EncryptedCommentRegex("of".to_owned()),
        SelectorSpec::UnencryptedCommentRegex("of".to_owned()),
    ] {
        let file = peer.signet_encrypt_as(Ini, plain, selector);
        assert_eq!(peer.decrypt(Ini, &file), plain);
    }
}

#[test]
fn the_metadata_of_an_ini_file_is_that_of_sops() {
    let peer = Peer::new();
    let keys = |file: &str| -> Vec<String> {
        let (_, metadata) = file.split_once("\n\n[sops]\n").unwrap();
        metadata
            .lines()
            .map(|line| line.split('=').next().unwrap().to_owned())
            .collect()
    };
    let ours = keys(&peer.signet_encrypt(Ini, "[s]\na = 1\n"));
    assert_eq!(ours, keys(&peer.encrypt(Ini, "[s]\na = 1\n")));
    assert_eq!(ours[0], "age__list_0__map_enc       ");
}

/// 3.13.0 and 3.13.1 wrote metadata over several lines.
#[test]
fn metadata_in_long_quotes_is_read() {
    let peer = Peer::new();
    let file = peer.encrypt(Ini, "[s]\na = 1\n");
    let lines = file
        .lines()
        .map(|line| match line.split_once("map_enc       = ") {
            Some((key, value)) => {
                let value = value.replace("\\n", "\n");
                format!("{key}map_enc       = \"\"\"{value}\"\"\"\n")
            }
            None => format!("{line}\n"),
        });
    let file: String = lines.collect();
    assert!(file.contains("-----\n"));
    assert_eq!(peer.signet_decrypt(Ini, &file), "[s]\na = 1\n");
    assert_eq!(peer.decrypt(Ini, &file), "[s]\na = 1\n");
}
