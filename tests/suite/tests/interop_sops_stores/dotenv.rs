//! dotenv files.

use signet_documents::sops::FileFormat::Dotenv;
use signet_documents::sops::selector::SelectorSpec;

use crate::peer::Peer;

/// Files in sops' own layout: without empty lines.
const LAID_OUT: [&str; 6] = [
    "A=1\nB=two words\n",
    "# comment\nA=\"quoted\" # not a comment\nexport B='x'\n",
    "MULTI=one\\ntwo\\n\nEMPTY=\nSPACED = x \n",
    "A=1\r\n#c\r\nB=2\r\n",
    "URL=https://u:p@h/?a=b&c=d#f\nJSON={\"a\": [1, 2]}\nUNICODE=é😀\n",
    "A_unencrypted=plain\\ntext\n#ENC[\n=no key\n",
];

#[test]
fn sops_reads_the_dotenv_files_of_signet() {
    let peer = Peer::new();
    for plain in LAID_OUT {
        let file = peer.signet_encrypt(Dotenv, plain);
        assert_eq!(peer.decrypt(Dotenv, &file), plain);
    }
}

#[test]
fn signet_reads_the_dotenv_files_of_sops() {
    let peer = Peer::new();
    for plain in LAID_OUT {
        let file = peer.encrypt(Dotenv, plain);
        assert_eq!(peer.signet_decrypt(Dotenv, &file), plain);
    }
}

#[test]
fn empty_lines_stay_in_a_dotenv_file() {
    let peer = Peer::new();
    for plain in ["\nA=1\n\n\nB=2\n\n", "A=1\r\n\r\nB=2\r\n"] {
        let file = peer.signet_encrypt(Dotenv, plain);
        assert_eq!(peer.signet_decrypt(Dotenv, &file), plain);
        let without: String = plain
            .split_inclusive('\n')
            .filter(|line| !line.trim().is_empty())
            .collect();
        assert_eq!(peer.decrypt(Dotenv, &file), without);
    }
}

#[test]
fn selectors_mean_the_same_in_dotenv_files() {
    let peer = Peer::new();
    let plain = "# about\nPASSWORD=x\nHOST=h\n";
    for selector in [
        SelectorSpec::EncryptedRegex("^PASS".to_owned()),
        SelectorSpec::UnencryptedRegex("HOST".to_owned()),
        SelectorSpec::EncryptedCommentRegex("about".to_owned()),
        SelectorSpec::UnencryptedCommentRegex("about".to_owned()),
    ] {
        let file = peer.signet_encrypt_as(Dotenv, plain, selector);
        assert_eq!(peer.decrypt(Dotenv, &file), plain);
    }
}

#[test]
fn the_metadata_of_a_dotenv_file_is_that_of_sops() {
    let peer = Peer::new();
    let keys = |file: &str| -> Vec<String> {
        let lines = file.lines().filter(|line| line.starts_with("sops_"));
        lines
            .map(|line| line.split('=').next().unwrap().to_owned())
            .collect()
    };
    let ours = keys(&peer.signet_encrypt(Dotenv, "A=1\n"));
    assert_eq!(ours, keys(&peer.encrypt(Dotenv, "A=1\n")));
    assert_eq!(ours[0], "sops_age__list_0__map_enc");
}
