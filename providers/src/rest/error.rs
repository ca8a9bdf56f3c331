//! What can go wrong with a request.

use serde_json::Value;

/// Why a request got no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum RestError {
    /// The address is none, or has parts that an address here must not have.
    #[error("`{address}` is not the address of a server")]
    Address {
        /// The address, without what stands before an `@`.
        address: String,
    },
    /// The answer has another form.
    #[error("the answer of {server} is not understood")]
    Answer {
        /// Scheme, host and port.
        server: String,
    },
    /// The request could not be written.
    #[error("the request could not be written")]
    Body,
    /// A variable names a file of certificates that is none.
    #[error("cannot use the certificates or the key in `{path}`: {reason}")]
    Certificates {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A file that credentials name cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A token or another header has characters that a header cannot have.
    #[error("the value of the header `{name}` has characters that are not allowed there")]
    Header {
        /// Which header.
        name: &'static str,
    },
    /// The answer is longer than any that is expected.
    #[error("the answer of {server} is too long")]
    Long {
        /// Scheme, host and port.
        server: String,
    },
    /// A document may not lead to this address.
    #[error("{server} is an address of the machine itself or of its network's services")]
    Local {
        /// Scheme, host and port.
        server: String,
    },
    /// A proxy that a variable names cannot be used.
    #[error("the proxy in {variable} cannot be used")]
    Proxy {
        /// The variable.
        variable: &'static str,
    },
    /// The server said no.
    #[error("{server} answered {status}{}", said(.message))]
    Refused {
        /// Scheme, host and port.
        server: String,
        /// The status.
        status: u16,
        /// What it said.
        message: String,
    },
    /// The client could not be made.
    #[error("the HTTP client cannot be made: {0}")]
    Setup(
        /// Why.
        String,
    ),
    /// Nobody answered.
    #[error("cannot reach {server}: {reason}")]
    Unreachable {
        /// Scheme, host and port.
        server: String,
        /// Why.
        reason: String,
    },
}

impl RestError {
    /// The status of a refusal.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// What to do about it, where every service has the same remedy.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Unreachable { reason, .. } if reason.contains("certificate") => {
                "if the server has a private authority, name its certificate in SSL_CERT_FILE"
            }
            Self::Unreachable { .. } => "check the address, the network and HTTPS_PROXY",
            Self::Local { .. } => "the administrator decides which servers a document may name",
            _ => return None,
        };
        Some(hint.into())
    }
}

/// The causes of an error, in one line. Addresses are left out: they are told anyway.
pub(super) fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    if error.is_timeout() {
        return "no answer in time".into();
    }
    let mut text = String::new();
    let mut cause: Option<&dyn std::error::Error> = Some(&error);
    while let Some(error) = cause {
        // The first only says that a request failed.
        if error.source().is_none() || text.is_empty() {
            text = error.to_string();
        }
        cause = error.source();
    }
    text
}

/// What a server says about a refusal: Vault's `errors`, Google's and Azure's `error`, the two texts of
/// OAuth, or the two of S3, which are XML.
pub(super) fn message(body: &[u8]) -> String {
    if body.trim_ascii_start().starts_with(b"<") {
        return of_xml(&String::from_utf8_lossy(body));
    }
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        return String::new();
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let errors = body["errors"].as_array().into_iter().flatten();
    let mut parts: Vec<String> = errors.filter_map(text).collect();
    match &body["error"] {
        Value::Object(error) => {
            let code = error.get("code").or(error.get("status")).and_then(text);
            parts.extend(code);
            parts.extend(error.get("message").and_then(text));
        }
        error => parts.extend(text(error)),
    }
    parts.extend(text(&body["error_description"]));
    one_line(&parts)
}

fn of_xml(body: &str) -> String {
    let element = |name: &str| {
        let (_, rest) = body.split_once(&format!("<{name}>"))?;
        let (text, _) = rest.split_once(&format!("</{name}>"))?;
        Some(text.to_owned())
    };
    let parts = ["Code", "Message"].into_iter().filter_map(element);
    one_line(&parts.collect::<Vec<_>>())
}

fn one_line(parts: &[String]) -> String {
    let words: Vec<&str> = parts
        .iter()
        .flat_map(|part| part.split_whitespace())
        .collect();
    words.join(" ").chars().take(400).collect()
}

fn said(message: &str) -> String {
    if message.is_empty() {
        String::new()
    } else {
        format!(": {message}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_service_says_is_one_line() {
        let cases: [(&[u8], &str); 6] = [
            (b"{\"errors\":[\"1 error occurred:\\n\\t* permission denied\\n\\n\"]}", "1 error occurred: * permission denied"),
            (b"{\"error\":{\"code\":403,\"message\":\"Permission denied\",\"status\":\"PERMISSION_DENIED\"}}", "Permission denied"),
            (b"{\"error\":{\"code\":\"KeyNotFound\",\"message\":\"no such key\"}}", "KeyNotFound no such key"),
            (b"{\"error\":\"invalid_client\",\"error_description\":\"wrong\"}", "invalid_client wrong"),
            (b"<?xml version=\"1.0\"?><Error><Code>NoSuchBucket</Code><Message>not\nthere</Message></Error>", "NoSuchBucket not there"),
            (b"<html>", ""),
        ];
        for (body, expected) in cases {
            assert_eq!(message(body), expected);
        }
    }
}
