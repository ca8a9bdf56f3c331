//! The functions that there are.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use signet_templates::{Options, Template, function_names};

/// Those of Go's text/template, of Sprig, and the External Secrets Operator's own.
const NAMES: &str = "
    abbrev abbrevboth add add1 add1f addf adler32sum ago all and any append atoi b32dec b32enc
    b64dec b64enc base bcrypt biggest buildCustomCert call camelcase cat ceil certSANs chunk
    clean coalesce compact concat contains date dateInZone dateModify date_in_zone date_modify
    decryptAES deepCopy deepEqual default derivePassword dict dig dir div divf duration
    durationRound empty encryptAES eq ext fail filterCertChain filterPEM first float64 floor
    fromJson fromYaml fullPemToPkcs12 fullPemToPkcs12Pass ge genCA genCAWithKey genPrivateKey
    genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey get gt has
    hasKey hasPrefix hasSuffix hello hexdec html htmlDate htmlDateInZone htpasswd indent index
    initial initials int int64 isAbs join js jwkPrivateKeyPem jwkPublicKeyPem kebabcase keys
    kindIs kindOf last le len list lower lt max maxf merge mergeOverwrite min minf mod mul mulf
    mustAppend mustChunk mustCompact mustDateModify mustDeepCopy mustFirst mustFromJson mustHas
    mustInitial mustLast mustMerge mustMergeOverwrite mustPrepend mustRegexFind mustRegexFindAll
    mustRegexMatch mustRegexReplaceAll mustRegexReplaceAllLiteral mustRegexSplit mustRest
    mustReverse mustSlice mustToDate mustToJson mustToPrettyJson mustToRawJson mustUniq
    mustWithout must_date_modify ne nindent nospace not now omit or osBase osClean osDir osExt
    osIsAbs pemToPkcs12 pemToPkcs12Pass pemTruststoreToPKCS12 pemTruststoreToPKCS12Pass pick
    pkcs12cert pkcs12certPass pkcs12key pkcs12keyPass pluck plural prepend print printf println
    quote randAlpha randAlphaNum randAscii randBytes randInt randNumeric regexFind regexFindAll
    regexMatch regexQuoteMeta regexReplaceAll regexReplaceAllLiteral regexSplit repeat replace
    rest reverse round rsaDecrypt semver semverCompare seq set sha1sum sha256sum sha512sum
    shuffle slice snakecase sortAlpha split splitList splitn squote sub subf substr swapcase
    ternary title toDate toDecimal toJson toPrettyJson toRawJson toString toStrings toYaml trim
    trimAll trimPrefix trimSuffix trimall trunc tuple typeIs typeIsLike typeOf uniq unixEpoch
    unset until untilStep untitle upper urlJoin urlParse urlquery uuidv4 values without wrap
    wrapWith
";

/// Sprig's own names for two that the operator leaves out.
const MORE: [&str; 2] = ["push", "mustPush"];

#[test]
fn every_function_of_the_operators_engine_is_there() {
    let names: BTreeSet<&str> = NAMES.split_whitespace().chain(MORE).collect();
    let ours: BTreeSet<&str> = function_names().into_iter().collect();
    assert_eq!(
        names.difference(&ours).collect::<Vec<_>>(),
        Vec::<&&str>::new()
    );
    assert_eq!(
        ours.difference(&names).collect::<Vec<_>>(),
        Vec::<&&str>::new()
    );
}

#[test]
fn what_reaches_out_of_the_template_is_refused_with_a_reason() {
    for name in ["env", "expandenv", "getHostByName"] {
        let template = format!("{{{{ {name} \"HOME\" }}}}");
        let error = Template::parse("t", &template, &Options::default()).unwrap_err();
        assert!(error.to_string().contains("not defined"));
        assert!(
            error
                .hint()
                .unwrap()
                .contains("neither the environment nor the network")
        );
    }
}
