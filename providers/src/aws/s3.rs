//! Objects of S3: one `PUT`, over the client of all other services, signed by the SDK's own signer.
//!
//! Credentials and profiles are found as for keys. The region is that of `AWS_REGION`,
//! `AWS_DEFAULT_REGION` or the profile; the server is that of AWS, or of `AWS_ENDPOINT_URL_S3` or
//! `AWS_ENDPOINT_URL`, where the bucket goes into the path: such servers seldom have a name for each.

use std::time::{Duration, SystemTime};

use aws_config::SdkConfig;
use aws_sdk_kms::config::{Credentials, ProvideCredentials};
use aws_sigv4::http_request::{
    PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SigningSettings,
    UriPathNormalizationMode, sign,
};
use aws_sigv4::sign::v4;
use reqwest::Url;

use super::{root_cause, session};
use crate::rest::{Call, Client, RestError, Tls, address, certificates};
use crate::{Environment, Policy};

/// What S3 takes a body for of which nobody says what it is.
const KIND: &str = "application/octet-stream";
/// A large file over a slow line takes its time.
const TIMEOUT: Duration = Duration::from_mins(10);
/// Credentials are not used in their last moments: the request takes some, and clocks differ.
const MARGIN: Duration = Duration::from_mins(1);

/// Why an object was not written.
#[derive(Debug, thiserror::Error)]
pub enum S3Error {
    /// The HTTP client could not be made, or an endpoint is none.
    #[error("{0}")]
    Client(#[from] RestError),
    /// The credentials could not be had.
    #[error("no AWS credentials: {reason}")]
    Credentials {
        /// Why.
        reason: String,
    },
    /// A bucket or key that no address can name.
    #[error("s3://{object} is not the name of an object")]
    Name {
        /// Bucket and key.
        object: String,
    },
    /// Nothing in the environment gives credentials.
    #[error("there are no AWS credentials in the environment that is given")]
    NoCredentials,
    /// Nothing says in which region the bucket is.
    #[error("there is no AWS region")]
    NoRegion,
    /// The request failed.
    #[error("s3://{object}: {error}")]
    Request {
        /// Bucket and key.
        object: String,
        /// Why.
        #[source]
        error: RestError,
    },
    /// The request could not be signed.
    #[error("s3://{object}: the request could not be signed")]
    Sign {
        /// Bucket and key.
        object: String,
    },
}

impl S3Error {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Client(error) => return error.hint(),
            Self::Credentials { .. } => "set AWS_PROFILE, or run `aws sso login`",
            Self::NoCredentials => {
                "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            }
            Self::NoRegion => "set AWS_REGION, or `region` in the profile",
            Self::Request { error, .. } => match error.status() {
                Some(301 | 307 | 400) => "is the bucket in another region? set AWS_REGION",
                Some(403) => "allow s3:PutObject on this key for these credentials",
                Some(404) => "check the name of the bucket",
                _ => return error.hint(),
            },
            Self::Name { .. } | Self::Sign { .. } => return None,
        };
        Some(hint.into())
    }
}

/// Writes objects.
pub struct S3 {
    environment: Environment,
    session: futures::lock::Mutex<Option<Session>>,
}

#[derive(Clone)]
struct Session {
    client: Client,
    config: SdkConfig,
    credentials: Credentials,
    endpoint: Option<Url>,
    region: String,
}

impl S3 {
    /// Nothing is read or connected yet.
    pub fn new(environment: &Environment) -> Self {
        Self {
            environment: environment.clone(),
            session: futures::lock::Mutex::default(),
        }
    }

    /// Writes an object, in place of one that is there.
    pub async fn put(&self, bucket: &str, key: &str, body: &[u8]) -> Result<(), S3Error> {
        let object = || format!("{bucket}/{key}");
        let session = self.session().await?;
        let place = place(session.endpoint.as_ref(), &session.region, bucket, key);
        let url = place.ok_or_else(|| S3Error::Name { object: object() })?;
        let mut call = Call::put(url.clone()).bytes(body, KIND)?;
        let headers = signature(&url, body, &session, SystemTime::now());
        for (name, value) in headers.ok_or_else(|| S3Error::Sign { object: object() })? {
            call = call.named_header(&name, &value)?;
        }
        let done = session.client.send(call).await;
        done.and_then(|reply| reply.done())
            .map_err(|error| S3Error::Request {
                object: object(),
                error,
            })
    }

    async fn session(&self) -> Result<Session, S3Error> {
        let mut known = self.session.lock().await;
        if let Some(session) = &mut *known {
            if expires_soon(&session.credentials) {
                session.credentials = credentials(&session.config).await?;
            }
            return Ok(session.clone());
        }
        let environment = &self.environment;
        let region = session::region(environment).await;
        let region = region.ok_or(S3Error::NoRegion)?;
        let config = session::config(environment, &region, None).await;
        let config = config.ok_or(S3Error::NoCredentials)?;
        let endpoint = environment
            .var("AWS_ENDPOINT_URL_S3")
            .or_else(|| config.endpoint_url());
        let tls = Tls {
            authorities: match environment.path("AWS_CA_BUNDLE") {
                Some(path) => certificates(&path)?,
                None => Vec::new(),
            },
            timeout: Some(TIMEOUT),
            ..Tls::default()
        };
        let session = Session {
            // Every address is of the environment, none of a document.
            client: Client::new(environment, &Policy::everything(), tls)?,
            credentials: credentials(&config).await?,
            endpoint: endpoint.map(address).transpose()?,
            config,
            region,
        };
        *known = Some(session.clone());
        Ok(session)
    }
}

async fn credentials(config: &SdkConfig) -> Result<Credentials, S3Error> {
    let provider = config.credentials_provider();
    let provider = provider.ok_or(S3Error::NoCredentials)?;
    let found = provider.provide_credentials().await;
    found.map_err(|error| S3Error::Credentials {
        reason: root_cause(&error),
    })
}

fn expires_soon(credentials: &Credentials) -> bool {
    let soon = SystemTime::now() + MARGIN;
    credentials.expiry().is_some_and(|expiry| expiry < soon)
}

/// The headers that say who asks.
fn signature(
    url: &Url,
    body: &[u8],
    session: &Session,
    now: SystemTime,
) -> Option<Vec<(String, String)>> {
    let mut settings = SigningSettings::default();
    // S3 takes a path as it stands, where other services encode it a second time.
    settings.percent_encoding_mode = PercentEncodingMode::Single;
    settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
    settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
    let identity = session.credentials.clone().into();
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(&session.region)
        .name("s3")
        .time(now)
        .settings(settings)
        .build()
        .ok()?;
    let headers = [("content-type", KIND)].into_iter();
    let request = SignableRequest::new("PUT", url.as_str(), headers, SignableBody::Bytes(body));
    let (instructions, _) = sign(request.ok()?, &params.into()).ok()?.into_parts();
    let headers = instructions.headers();
    let owned = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Some(owned.collect())
}

/// The address of an object; nothing if there can be none.
fn place(endpoint: Option<&Url>, region: &str, bucket: &str, key: &str) -> Option<Url> {
    let is_dots = |segment: &str| matches!(segment, "." | "..");
    if bucket.is_empty() || bucket.contains('/') || key.is_empty() {
        return None;
    }
    if key.split('/').any(is_dots) || is_dots(bucket) {
        return None;
    }
    let (bucket, key) = (encoded(bucket), encoded(key));
    let in_path = format!("/{bucket}/{key}");
    let (server, path) = if let Some(endpoint) = endpoint {
        let base = endpoint.path().trim_end_matches('/');
        (endpoint.to_string(), format!("{base}{in_path}"))
    } else {
        let domain = domain(region);
        // A certificate has one name below the domain, so not `a.b.s3…`.
        if is_host_label(&bucket) {
            let server = format!("https://{bucket}.s3.{region}.{domain}");
            (server, format!("/{key}"))
        } else {
            (format!("https://s3.{region}.{domain}"), in_path)
        }
    };
    let mut url = Url::parse(&server).ok()?;
    url.set_path(&path);
    (url.path() == path).then_some(url)
}

fn domain(region: &str) -> &'static str {
    if region.starts_with("cn-") {
        "amazonaws.com.cn"
    } else {
        "amazonaws.com"
    }
}

fn is_host_label(bucket: &str) -> bool {
    let mut chars = bucket.bytes();
    chars.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && !bucket.starts_with('-')
        && !bucket.ends_with('-')
}

/// As the signature wants it: everything but letters, digits, `-._~` and `/`.
fn encoded(text: &str) -> String {
    use std::fmt::Write as _;

    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            // Writing to a String cannot fail.
            byte => _ = write!(out, "%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::block_on;

    fn at(endpoint: Option<&str>, bucket: &str, key: &str) -> Option<String> {
        let endpoint = endpoint.map(|endpoint| Url::parse(endpoint).unwrap());
        let url = place(endpoint.as_ref(), "eu-central-1", bucket, key)?;
        Some(url.to_string())
    }

    #[test]
    fn a_bucket_is_a_host_of_aws_and_a_folder_elsewhere() {
        for (endpoint, bucket, expected) in [
            (
                None,
                "team",
                "https://team.s3.eu-central-1.amazonaws.com/a/b.yaml",
            ),
            (
                None,
                "team.example",
                "https://s3.eu-central-1.amazonaws.com/team.example/a/b.yaml",
            ),
            (
                Some("http://minio:9000"),
                "team",
                "http://minio:9000/team/a/b.yaml",
            ),
            (
                Some("https://example.test/s3/"),
                "team",
                "https://example.test/s3/team/a/b.yaml",
            ),
        ] {
            assert_eq!(at(endpoint, bucket, "a/b.yaml").as_deref(), Some(expected));
        }
        let china = place(None, "cn-north-1", "team", "k").unwrap();
        assert_eq!(
            china.as_str(),
            "https://team.s3.cn-north-1.amazonaws.com.cn/k"
        );
    }

    #[test]
    fn a_key_is_written_as_it_is_signed_and_does_not_leave_its_bucket() {
        assert_eq!(
            at(None, "b", "a+b c/ü=1//x%2e").unwrap(),
            "https://b.s3.eu-central-1.amazonaws.com/a%2Bb%20c/%C3%BC%3D1//x%252e"
        );
        for (bucket, key) in [
            ("b", "../x"),
            ("b", "a/./x"),
            ("b", ""),
            ("", "x"),
            ("a/b", "x"),
            ("..", "x"),
        ] {
            assert_eq!(
                at(Some("http://minio"), bucket, key),
                None,
                "{bucket} {key}"
            );
        }
    }

    #[test]
    fn without_a_region_or_credentials_nobody_is_asked() {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::default().with("HOME", home.path());
        let put = |environment: &Environment| {
            block_on(S3::new(environment).put("b", "k", b"x")).unwrap_err()
        };
        assert!(matches!(put(&environment), S3Error::NoRegion));
        std::fs::create_dir(home.path().join(".aws")).unwrap();
        let config = home.path().join(".aws/config");
        std::fs::write(config, "[default]\nregion = eu-central-1\n").unwrap();
        assert!(matches!(put(&environment), S3Error::NoCredentials));
    }
}
