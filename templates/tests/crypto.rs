//! Keys, certificates and archives: what one function makes, the others read.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[allow(dead_code, reason = "rows of recorded answers are for the other test")]
mod fixtures;

use fixtures::{Answer, render};
use signet_templates::{Options, Value};

fn output(template: &str) -> String {
    output_of(template, &Value::Nil)
}

fn output_of(template: &str, data: &Value) -> String {
    match render(template, data, &Options::default()) {
        Answer::Output(bytes) => String::from_utf8(bytes).unwrap(),
        Answer::Error(stage, message) => panic!("{stage}: {message}"),
    }
}

fn error(template: &str) -> String {
    match render(template, &Value::Nil, &Options::default()) {
        Answer::Error(_, message) => message,
        Answer::Output(_) => panic!("{template} rendered"),
    }
}

/// An authority and a certificate that it signed, with keys that are quick to make.
const SIGNED: &str = r#"{{- $ca := genCAWithKey "root" 365 (genPrivateKey "ed25519") -}}
{{- $c := genSignedCertWithKey "leaf" (list "10.0.0.1" "::1") (list "a.example" "b.example") 30 $ca (genPrivateKey "ecdsa") -}}"#;

#[test]
fn a_signed_certificate_names_its_hosts_and_addresses() {
    let names = output(&format!("{SIGNED}{{{{ certSANs $c.Cert | join \" \" }}}}"));
    assert_eq!(names, "a.example b.example 10.0.0.1 ::1");
}

#[test]
fn a_chain_in_any_order_is_taken_apart() {
    let chain = "{{ $chain := print $ca.Cert $c.Cert }}";
    let parts = "{{ eq (filterCertChain \"leaf\" $chain) $c.Cert }} {{ eq (filterCertChain \"root\" $chain) $ca.Cert }} \
                 {{ filterCertChain \"intermediate\" $chain | quote }}";
    assert_eq!(output(&format!("{SIGNED}{chain}{parts}")), "true true \"\"");
}

#[test]
fn pem_is_filtered_by_its_label() {
    let text = "{{ $text := print $c.Cert $c.Key $ca.Key }}";
    let filtered = "{{ eq (filterPEM \"CERTIFICATE\" $text) $c.Cert }} {{ eq (filterPEM \"EC PRIVATE KEY\" $text) $c.Key }} \
                    {{ filterPEM \"NONE\" $text | quote }}";
    assert_eq!(
        output(&format!("{SIGNED}{text}{filtered}")),
        "true true \"\""
    );
    assert!(
        error("{{ filterPEM \"CERTIFICATE\" \"canary\" }}").ends_with("could not find a PEM block")
    );
}

#[test]
fn an_archive_gives_back_what_was_put_into_it() {
    let made = "{{ $p := fullPemToPkcs12Pass (print $ca.Cert $c.Cert) $c.Key \"pw\" | b64dec }}";
    let read = "{{ eq (pkcs12certPass \"pw\" $p) (print $c.Cert $ca.Cert) }} {{ pkcs12keyPass \"pw\" $p | trunc 27 }}";
    assert_eq!(
        output(&format!("{SIGNED}{made}{read}")),
        "true -----BEGIN PRIVATE KEY-----"
    );
    let alone = "{{ $p := pemToPkcs12 $c.Cert $c.Key | b64dec }}{{ eq (pkcs12cert $p) $c.Cert }} {{ pkcs12key $p | len | lt 200 }}";
    assert_eq!(output(&format!("{SIGNED}{alone}")), "true true");
    let trusted = "{{ pemTruststoreToPKCS12Pass $ca.Cert \"pw\" | b64dec | len | lt 100 }} {{ pemTruststoreToPKCS12 $ca.Cert | len | lt 100 }}";
    assert_eq!(output(&format!("{SIGNED}{trusted}")), "true true");
    assert!(error(&format!("{SIGNED}{made}{{{{ pkcs12key $p }}}}")).contains("cannot be opened"));
}

#[test]
fn an_rsa_authority_has_the_forms_that_go_writes() {
    let template = r#"{{ $ca := genCA "root" 1 }}{{ $ca.Cert | trunc 27 }} {{ $ca.Key | trunc 31 }}
        {{- $own := genSelfSignedCertWithKey "x" nil (list "h") 1 $ca.Key }} {{ certSANs $own.Cert }} {{ eq $own.Key $ca.Key }}
        {{- $b := buildCustomCert (b64enc $ca.Cert) (b64enc $ca.Key) }} {{ eq $b.Cert $ca.Cert }}"#;
    assert_eq!(
        output(template),
        "-----BEGIN CERTIFICATE----- -----BEGIN RSA PRIVATE KEY----- [h] true true"
    );
}

#[test]
fn keys_of_json_become_pem() {
    // RFC 8037, appendix A, and RFC 7517, appendix A.2.
    let ed = r#"{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    let ec = r#"{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"}"#;
    let data = Value::strings([("ed", ed), ("ec", ec)]);
    assert_eq!(
        output_of("{{ jwkPublicKeyPem .ed }}", &data),
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"
    );
    assert_eq!(
        output_of("{{ jwkPrivateKeyPem .ed }}", &data),
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE KEY-----\n"
    );
    // The key that is read back signs: it is the key itself.
    let signs = "{{ (genCAWithKey \"x\" 1 (jwkPrivateKeyPem .ec)).Key | trunc 30 }} {{ jwkPublicKeyPem .ec | len }}";
    assert_eq!(
        output_of(signs, &data),
        "-----BEGIN EC PRIVATE KEY----- 178"
    );
    assert!(error("{{ jwkPublicKeyPem \"{}\" }}").contains("no JSON Web Key"));
}

/// Bytes for the padding of the test's own ciphertexts.
struct Counter(u8);

impl rsa::rand_core::TryRng for Counter {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.0 = self.0 % 250 + 1;
        Ok(u32::from(self.0) * 0x0101_0101)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.try_next_u32().map(u64::from)
    }

    fn try_fill_bytes(&mut self, buffer: &mut [u8]) -> Result<(), Self::Error> {
        buffer.fill_with(|| {
            self.0 = self.0 % 250 + 1;
            self.0
        });
        Ok(())
    }
}

impl rsa::rand_core::TryCryptoRng for Counter {}

#[test]
fn what_was_encrypted_for_an_rsa_key_is_decrypted() {
    use rsa::pkcs1::DecodeRsaPrivateKey;
    let pem = output("{{ (genCA \"x\" 1).Key }}");
    let public = rsa::PrivateKey::from_pkcs1_pem(&pem)
        .unwrap()
        .to_public_key();
    let oaep = public
        .encrypt(&mut Counter(1), rsa::Oaep::<sha2::Sha256>::new(), b"secret")
        .unwrap();
    let old = public
        .encrypt(&mut Counter(1), rsa::Pkcs1v15Encrypt, b"older")
        .unwrap();
    let data = Value::strings([("key", pem.into_bytes()), ("oaep", oaep), ("old", old)]);
    let template = "{{ rsaDecrypt \"RSA-OAEP\" \"SHA256\" .oaep .key }} {{ rsaDecrypt \"None\" \"\" .old .key }}";
    assert_eq!(output_of(template, &data), "secret older");
    let wrong = render(
        "{{ rsaDecrypt \"RSA-OAEP\" \"SHA1\" .oaep .key }}",
        &data,
        &Options::default(),
    );
    assert!(matches!(wrong, Answer::Error(_, message) if message.contains("does not open")));
}

#[test]
fn what_is_no_key_is_not_repeated() {
    for template in [
        "{{ genCAWithKey \"x\" 1 \"canary\" }}",
        "{{ pkcs12key \"canary\" }}",
        "{{ jwkPrivateKeyPem \"canary\" }}",
        "{{ rsaDecrypt \"RSA-OAEP\" \"SHA256\" \"canary\" \"canary\" }}",
        "{{ filterCertChain \"leaf\" \"canary\" }}",
        "{{ buildCustomCert \"canary\" \"canary\" }}",
        "{{ genPrivateKey \"canary\" }}",
    ] {
        assert!(!error(template).contains("canary"), "{template}");
    }
}

#[test]
fn keys_are_counted() {
    let many = "{{ range until 50 }}{{ $_ := bcrypt \"x\" }}{{ end }}";
    assert!(error(many).ends_with("the template derives too many keys or passwords"));
}
