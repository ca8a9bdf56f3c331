#![allow(clippy::unwrap_used)]

use super::*;

fn changed(pinned: &str, found: &str) -> CertificateSourceError {
    let fingerprint: Fingerprint = "SHA256:fVyYiFuH5tbtmt6PZOwjQpBq+XG5egJngKjGkhuy4K8"
        .parse()
        .unwrap();
    CertificateSourceError::Changed {
        path: ".signet/certs/default.pem".into(),
        pinned: (fingerprint, pinned.parse().unwrap()),
        found: (fingerprint, found.parse().unwrap()),
    }
}

#[test]
fn a_certificate_that_is_older_than_the_pinned_one_is_no_renewal() {
    let (january, march) = ("2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z");
    let renewed = changed(january, march);
    let told = renewed.to_string();
    assert!(told.contains("of 2026-01-01, in `.signet"), "{told}");
    assert!(told.ends_with("of 2026-03-01"), "{told}");
    assert!(renewed.hint().unwrap().contains("has renewed its key"));
    let older = changed(march, january);
    assert!(older.to_string().ends_with("of 2026-01-01, which is older"));
    assert!(older.hint().unwrap().contains("lost its newest key"));
}

#[test]
fn a_spoiled_pin_can_be_pinned_again() {
    let error = parse("`.signet/certs/default.pem`", b"<<<<<<< ours").unwrap_err();
    assert!(error.hint().unwrap().contains("signet cert fetch"));
}
