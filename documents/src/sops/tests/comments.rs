//! Where comments are and what happens to them.

use super::*;

#[test]
fn comments_stay_where_they_are() {
    let plain = "# top\n\n# a\na: 1 # right\nm: # of m\n  # first\n  b: 2\n  # last in m\n# c\nl:\n  # in l\n  - x # of x\n  # after x\n  - z\n# end\n";
    assert_eq!(round_trip(FileFormat::Yaml, plain), plain);
    let encrypted = encrypt_all(FileFormat::Yaml, plain);
    assert_eq!(encrypted.matches("#ENC[").count(), 11);
}

#[test]
fn issue_384_comments_between_items_of_a_list_stay() {
    let plain = "l:\n- a: 1\n# between\n- a: 2\n  # end\n";
    assert_eq!(round_trip(FileFormat::Yaml, plain), plain);
}

#[test]
fn issue_2130_inline_comments_stay_inline() {
    let plain = "a: 1 # c\nb: [1, 2] # d\nc: |\n  x\n";
    assert_eq!(round_trip(FileFormat::Yaml, plain), plain);
}

#[test]
fn issue_2243_a_comment_in_a_list_is_not_in_the_checksum() {
    let plain = "l:\n  # c\n  - x\n";
    let encrypted = encrypt_all(FileFormat::Yaml, plain);
    let without: String = encrypted
        .split_inclusive('\n')
        .filter(|line| !line.contains("type:comment"))
        .collect();
    assert_eq!(
        text(&decrypt(FileFormat::Yaml, &without).unwrap()),
        "l:\n  - x\n"
    );
}

#[test]
fn issue_2281_a_comment_that_the_peer_wrote_as_an_item_holds_for_what_follows() {
    let selector = SelectorSpec::EncryptedCommentRegex("enc".into());
    let plain = "l:\n  # enc\n  # two\n  - x\n";
    let ours = encrypt_with(FileFormat::Yaml, plain, &metadata(Some(selector)), None).unwrap();
    let ours = String::from_utf8(ours.bytes).unwrap();
    let theirs = ours.replacen("#ENC[", "- ENC[", 1);
    assert_ne!(ours, theirs);
    for encrypted in [ours, theirs] {
        let decrypted = decrypt(FileFormat::Yaml, &encrypted).unwrap();
        assert_eq!(text(&decrypted).trim_end(), plain.trim_end());
    }
}

#[test]
fn a_comment_that_was_added_by_hand_stays_with_a_warning() {
    let encrypted = format!("# by hand\n{}", encrypt_all(FileFormat::Yaml, "a: 1\n"));
    let decrypted = decrypt(FileFormat::Yaml, &encrypted).unwrap();
    assert_eq!(text(&decrypted), "# by hand\na: 1\n");
    assert_eq!(
        decrypted.warnings[0].to_string(),
        "a comment at the top (line 1) is not encrypted"
    );
}

#[test]
fn a_list_of_nothing_but_comments_of_the_peer_stays_a_list() {
    let ours = encrypt_all(FileFormat::Yaml, "l:\n  # c\n  - x\n  # d\n");
    let theirs: String = ours
        .replace("  #ENC[", "  - ENC[")
        .split_inclusive('\n')
        .filter(|line| !line.contains("type:str]\n") || line.contains("mac:"))
        .collect();
    let file = File::parse(FileFormat::Yaml, theirs.as_bytes()).unwrap();
    let decrypted = file.decrypt(&cipher(), MacCheck::DangerIgnore).unwrap();
    assert_eq!(text(&decrypted), "l:\n  # c\n  # d\n  []\n");
}

#[test]
fn the_comment_of_a_value_of_several_lines_goes_behind_its_header() {
    let ours = encrypt_all(FileFormat::Yaml, "a: | # why\n  b\n  c\n");
    let theirs = ours.replacen("|- ", "", 1).replacen("\n  ENC", "", 1);
    let (comment, rest) = theirs.split_once("#ENC").unwrap();
    assert_eq!(comment, "a: ");
    let at = rest.find("type:comment]").unwrap() + "type:comment]".len();
    let (comment, rest) = rest.split_at(at);
    let (value, rest) = rest.split_once('\n').unwrap();
    let theirs = format!("a: ENC{value} #ENC{comment}\n{rest}");
    let decrypted = decrypt(FileFormat::Yaml, &theirs).unwrap();
    assert_eq!(text(&decrypted), "a: | # why\n    b\n    c\n");
}

#[test]
fn a_file_of_comments_alone_is_encrypted() {
    let encrypted = encrypt_all(FileFormat::Yaml, "# a secret thought\n");
    assert!(encrypted.starts_with("#ENC["), "{encrypted}");
}
