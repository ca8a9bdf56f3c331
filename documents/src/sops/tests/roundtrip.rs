//! What is encrypted and decrypted again is what it was.

use super::*;

fn stays(format: FileFormat, plain: &str) {
    assert_eq!(round_trip(format, plain), plain);
}

#[test]
fn issue_864_quotes_styles_and_spaces_stay() {
    stays(
        FileFormat::Yaml,
        "a:   \"double\"  \nb: 'single'\nc: [ 1,  \"two\",'it''s, so' ]\nd: {x: 1, y: \"z\"}\n",
    );
}

#[test]
fn issue_396_blank_lines_stay() {
    stays(FileFormat::Yaml, "a: 1\n\n\nb: 2\n\n");
}

#[test]
fn issue_950_indentation_stays() {
    stays(FileFormat::Yaml, "m:\n  k: v\n  l:\n  - a\n  -   b: c\n");
    stays(FileFormat::Yaml, "m:\n     k:\n          j: v\n");
}

#[test]
fn issue_1158_document_marks_stay() {
    stays(FileFormat::Yaml, "---\na: b\n");
    stays(
        FileFormat::Yaml,
        "%YAML 1.2\n---\na: b\n...\n---\nc: d\n...\n",
    );
}

#[test]
fn issue_1180_block_scalars_with_spaces_at_line_ends_stay() {
    stays(FileFormat::Yaml, "t: |\n  a \n  b\nu: x\n");
}

#[test]
fn a_comment_below_a_text_of_several_lines_stays_a_comment() {
    for (plain, back) in [
        (
            "z: 2\n\n  - w\n    # last\nm: 1\n",
            "z: \"2\\n- w\"\n    # last\nm: 1\n",
        ),
        (
            "z: 2\n\n  - w\n\n     # last\n",
            "z: \"2\\n- w\"\n\n     # last\n",
        ),
        ("l:\n- a\n\n  b\n  # last\n", "l:\n- \"a\\nb\"\n  # last\n"),
        (
            "z: 2\n\n  - w\n # last\n",
            "z: |-\n    2\n    - w\n # last\n",
        ),
        ("z: a\n  b\n  # last\nm: 1\n", "z: a b\n  # last\nm: 1\n"),
    ] {
        assert_eq!(round_trip(FileFormat::Yaml, plain), back, "{plain:?}");
    }
}

#[test]
fn a_blank_line_below_a_text_with_line_breaks_at_its_end_is_not_added_to_it() {
    let text = "t: \"a\\n\\n\"\nz: 1\n";
    let quoted = encrypt_all(FileFormat::Yaml, text);
    // As the peer writes it, and then a blank line put in by hand.
    let bare = quoted.replace('"', "").replacen("\nz: ", "\n\nz: ", 1);
    let bare = bare.replacen("lastmodified: ", "lastmodified: \"", 1);
    let bare = bare.replacen("T03:04:05Z", "T03:04:05Z\"", 1);
    let decrypted = decrypt(FileFormat::Yaml, &bare).unwrap();
    assert_eq!(self::text(&decrypted), "t: \"a\\n\\n\"\n\nz: 1\n");
    let block = encrypt_all(FileFormat::Yaml, "t: |+\n  a\n\nz: 1\n");
    let block = block.replacen("\nz: ", "\n\nz: ", 1);
    let decrypted = decrypt(FileFormat::Yaml, &block).unwrap();
    assert_eq!(self::text(&decrypted), "t: \"a\\n\\n\"\n\nz: 1\n");
}

#[test]
fn issue_408_folded_scalars_stay_folded() {
    let plain = "t: >\n  one line of text\n\n  and another\n    indented\n  last\nu: x\n";
    stays(FileFormat::Yaml, plain);
    // Where the lines were broken is not kept.
    assert_eq!(
        round_trip(FileFormat::Yaml, "t: >-\n  a\n  b\n"),
        "t: >-\n  a b\n"
    );
}

#[test]
fn issue_1003_hexadecimal_text_stays_quoted() {
    let digits = "0123456789abcdef".repeat(3);
    stays(FileFormat::Yaml, &format!("h: \"0x{digits}\"\n"));
}

#[test]
fn issue_635_tags_and_anchors_stay() {
    stays(
        FileFormat::Yaml,
        "a: !vault x\nb: &b 1\nc: !!str 5\nd: &d\n  e: f\n",
    );
}

#[test]
fn issue_1002_an_alias_of_plain_values_stays() {
    stays(
        FileFormat::Yaml,
        "base_unencrypted: &base\n  k: 1\nx_unencrypted: *base\ny_unencrypted:\n  <<: *base\n",
    );
}

#[test]
fn a_document_of_null_stays_a_document() {
    for (plain, back) in [
        ("~\n", "\n{}\n"),
        ("...\n~", "...\n\n{}"),
        ("a: 1\n...\n~\n", "a: 1\n...\n\n{}\n"),
        ("~\r\n---\r\na: 1\r\n", "\r\n{}\r\n---\r\na: 1\r\n"),
        ("# c\nnull\n---\na: 1\n", "# c\n\n{}\n---\na: 1\n"),
        ("---\n~\n---\na: 1\n", "---\n\n---\na: 1\n"),
    ] {
        assert_eq!(round_trip(FileFormat::Yaml, plain), back, "{plain:?}");
    }
}

#[test]
fn oddities_that_generated_texts_found_stay() {
    // A mark stands before the key; a block scalar ends within its header's line.
    stays(FileFormat::Yaml, "# c\n...\n? key\n");
    stays(FileFormat::Yaml, "\n\u{feff}? key\n");
    // Lines of spaces are text where they are longer than the indentation.
    stays(FileFormat::Yaml, "k: |-\n  x\n    \nl: 1\n");
    stays(FileFormat::Yaml, "k: |\n  x\n    \n\n \nl: 1\n");
    stays(FileFormat::Yaml, "k: |-\n  l:\n    ");
    assert_eq!(round_trip(FileFormat::Yaml, "? |\n # c"), "? |-\n # c");
    assert_eq!(
        round_trip(FileFormat::Yaml, "# c\r\nk: |2+\n  "),
        "# c\r\nk: |2-\n  "
    );
}

#[test]
fn issue_936_documents_of_comments_alone_stay() {
    stays(FileFormat::Yaml, "a: 1\n---\n# c\n---\nb: 2\n");
    stays(FileFormat::Yaml, "# c\n");
}

#[test]
fn block_scalars_of_every_chomping_and_indentation_stay() {
    stays(
        FileFormat::Yaml,
        "a: |\n  x\n  y\nb: |-\n   x\nc: |+\n  x\n\n\nd: |2\n   x\n  y\nl:\n- |\n  i\n- - |-\n    j\n",
    );
}

#[test]
fn a_comment_on_the_header_of_a_block_stays() {
    stays(FileFormat::Yaml, "a: | # why\n  x\nb: 1\n");
}

#[test]
fn line_ends_and_byte_order_mark_stay() {
    stays(
        FileFormat::Yaml,
        "\u{feff}a: x\r\nm:\r\n  k: |\r\n    l\r\n    m\r\n# c\r\n",
    );
    stays(FileFormat::Json, "{\r\n  \"a\": 1\r\n}\r\n");
}

#[test]
fn a_file_without_a_line_break_at_its_end_stays_one() {
    stays(FileFormat::Yaml, "a: x");
    stays(FileFormat::Yaml, "a: x\n# c");
    stays(FileFormat::Yaml, "a: |-\n  x");
    // This says the same: a line break is not there to be a part of the text.
    for key in ["a", "a_unencrypted"] {
        let back = round_trip(FileFormat::Yaml, &format!("{key}: |\n  x"));
        assert_eq!(back, format!("{key}: |-\n  x"));
    }
    stays(FileFormat::Json, "{\"a\": 1}");
}

#[test]
fn empty_values_stay() {
    stays(
        FileFormat::Yaml,
        "a: \"\"\nb:\nc: null\nd: ~\ne: {}\nf: []\ng: ''\n",
    );
    stays(FileFormat::Yaml, "{}\n");
    stays(FileFormat::Json, "{}\n");
    stays(
        FileFormat::Json,
        "{\"a\": {}, \"b\": [], \"c\": null, \"d\": \"\"}\n",
    );
}

#[test]
fn flow_documents_stay() {
    stays(FileFormat::Yaml, "{a: b, c: [d, \"e\"], f: 1}\n");
    stays(FileFormat::Yaml, "{\n  a: b,\n  c: d,\n}\n");
    stays(FileFormat::Yaml, "{\"a\": \"b\", \"n\": 5, \"t\": true}\n");
}

#[test]
fn json_keeps_its_layout() {
    stays(
        FileFormat::Json,
        "{\n    \"a\": [1,  2],\n    \"b\": {\"c\": \"d\"}\n}\n",
    );
    stays(FileFormat::Json, "{\"a\":1,\"b\":\"<&>\"}");
}

#[test]
fn any_bytes_stay() {
    for bytes in [
        &b"hello"[..],
        b"",
        b"\xff\0\xfe",
        b"{\"a\": 1}",
        b"\r\n\r\n",
    ] {
        let now = "2026-01-02T03:04:05Z".parse().unwrap();
        let file = File::parse(FileFormat::Binary, bytes).unwrap();
        let encrypted = file.encrypt(&metadata(None), &cipher(), None, now).unwrap();
        let file = File::parse(FileFormat::Binary, &encrypted.bytes).unwrap();
        let decrypted = file.decrypt(&cipher(), MacCheck::Verify).unwrap();
        assert_eq!(decrypted.text.expose(), bytes);
    }
}

#[test]
fn issue_865_1068_811_comments_at_the_ends_of_maps_and_documents_stay() {
    stays(FileFormat::Yaml, "# c\na: 1\n");
    stays(FileFormat::Yaml, "a:\n  b: 1\n  # end\n");
    stays(
        FileFormat::Yaml,
        "a:\n  - b: 1\n    # in\n  # between\n  - c: 2\n  # end\n# last\n",
    );
}

#[test]
fn many_values_take_time_by_their_number_only() {
    let file = |count: usize| {
        let lines: Vec<_> = (0..count).map(|n| format!("k{n}: v # c\n")).collect();
        lines.concat()
    };
    let once = |plain: &str| {
        let began = std::time::Instant::now();
        assert_eq!(round_trip(FileFormat::Yaml, plain), plain);
        began.elapsed()
    };
    // The best of three: others use the machine too.
    let time = |count| {
        let plain = file(count);
        (0..3).map(|_| once(&plain)).min().unwrap_or_default()
    };
    let (one, eight) = (time(1_000), time(8_000));
    // Far from 64 times, which it would be if it were quadratic.
    assert!(eight < one * 32, "{one:?} {eight:?}");
}
