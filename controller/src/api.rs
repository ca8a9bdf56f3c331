//! One way to ask the API server: with a time limit, and with errors that say what to do and hold
//! no value.
//!
//! The client's own errors are not shown: an answer that cannot be read is quoted in them, and an
//! answer may be a Secret.

use std::{future::Future, time::Duration};

use signet_engine::outcome::ApiFailure;
use signet_engine::text;
use thiserror::Error;

/// A request that has no answer by then has failed. Longer than the API server's own limit of a
/// write.
const PATIENCE: Duration = Duration::from_secs(35);

/// Why a request to the API server came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ApiError {
    /// 409 on create.
    #[error("it already exists")]
    AlreadyExists,
    /// 409 on a guarded write.
    #[error("it has changed meanwhile")]
    Conflict,
    /// 401 or 403.
    #[error("the API server refuses it: {0}; see the rules in deploy/base/rbac.yaml")]
    Forbidden(String),
    /// 410.
    #[error("the API server no longer has that version")]
    Gone,
    /// 400 or 422, and what else it will refuse again.
    #[error("{0}")]
    Invalid(String),
    /// 404.
    #[error("it does not exist")]
    NotFound,
    /// 429, and after how long to come again, if it says so.
    #[error("the API server has too much to do")]
    TooManyRequests(Option<Duration>),
    /// 5xx.
    #[error("the API server failed with {code}: {message}")]
    Server {
        /// HTTP status.
        code: u16,
        /// What it says.
        message: String,
    },
    /// No answer in time.
    #[error("the API server did not answer within {} s", PATIENCE.as_secs())]
    Timeout,
    /// No connection, or it broke.
    #[error("cannot reach the API server: {0}")]
    Unreachable(String),
    /// An answer that is not what was asked for.
    #[error("cannot read the API server's answer")]
    Unreadable,
}

impl ApiError {
    /// After how long the server asks to be asked again, if it does.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooManyRequests(after) => *after,
            _ => None,
        }
    }

    /// Whether the server, or what it stores in, finds the object too large.
    pub fn is_too_large(&self) -> bool {
        match self {
            Self::Invalid(message) | Self::Server { message, .. } => {
                message.contains("too large") || message.contains("larger than")
            }
            _ => false,
        }
    }

    /// As the engine knows it: what was being done, and why it came to nothing.
    pub fn failure(&self, doing: &str) -> ApiFailure {
        ApiFailure {
            code: Some(self.code()).filter(|code| *code != 0),
            message: format!("cannot {doing}: {self}"),
            retry_after: self.retry_after(),
        }
    }

    /// The HTTP status, zero if there was none.
    pub fn code(&self) -> u16 {
        match self {
            Self::AlreadyExists | Self::Conflict => 409,
            Self::Forbidden(_) => 403,
            Self::Gone => 410,
            Self::Invalid(_) => 422,
            Self::NotFound => 404,
            Self::TooManyRequests(_) => 429,
            Self::Server { code, .. } => *code,
            Self::Timeout | Self::Unreachable(_) | Self::Unreadable => 0,
        }
    }
}

/// Waits for a request, at most [`PATIENCE`].
pub async fn ask<T>(request: impl Future<Output = kube::Result<T>>) -> Result<T, ApiError> {
    ask_within(PATIENCE, request).await
}

/// Waits for a request, at most `patience`.
pub async fn ask_within<T>(
    patience: Duration,
    request: impl Future<Output = kube::Result<T>>,
) -> Result<T, ApiError> {
    match tokio::time::timeout(patience, request).await {
        Ok(answer) => answer.map_err(|error| ApiError::from(&error)),
        Err(_) => Err(ApiError::Timeout),
    }
}

/// Makes of a 404 the answer that there is none.
pub fn optional<T>(answer: Result<T, ApiError>) -> Result<Option<T>, ApiError> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(ApiError::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

impl From<&kube::Error> for ApiError {
    fn from(error: &kube::Error) -> Self {
        use kube::Error;
        match error {
            Error::Api(status) => from_status(status),
            Error::SerdeError(_) | Error::FromUtf8(_) | Error::LinesCodecMaxLineLengthExceeded => {
                Self::Unreadable
            }
            Error::HyperError(error) => Self::Unreachable(causes(error)),
            Error::Service(error) => Self::Unreachable(causes(&**error)),
            Error::ReadEvents(error) => Self::Unreachable(causes(error)),
            Error::Auth(error) => Self::Forbidden(causes(error)),
            other => Self::Unreachable(other.to_string()),
        }
    }
}

/// What the server says may quote names that its author chose freely.
fn from_status(status: &kube::core::Status) -> ApiError {
    let message = text::line(&status.message).into_owned();
    match status.code {
        409 if status.is_already_exists() => ApiError::AlreadyExists,
        409 => ApiError::Conflict,
        401 | 403 => ApiError::Forbidden(message),
        404 => ApiError::NotFound,
        410 => ApiError::Gone,
        429 => ApiError::TooManyRequests(told_to_wait(status)),
        code @ 500.. => ApiError::Server { code, message },
        _ => ApiError::Invalid(message),
    }
}

fn told_to_wait(status: &kube::core::Status) -> Option<Duration> {
    let seconds = status.details.as_ref()?.retry_after_seconds;
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

/// An error and what is behind it; transport errors alone say little.
fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    let mut texts: Vec<String> = chain.map(ToString::to_string).collect();
    texts.dedup();
    texts.join(": ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use kube::core::Status;

    use super::*;

    fn api(code: u16, reason: &str) -> ApiError {
        let status = Status::failure("message", reason).with_code(code);
        ApiError::from(&kube::Error::Api(status.boxed()))
    }

    #[test]
    fn each_answer_of_the_api_server_is_told_apart() {
        assert_eq!(api(409, "AlreadyExists"), ApiError::AlreadyExists);
        assert_eq!(api(409, "Conflict"), ApiError::Conflict);
        assert_eq!(api(403, "Forbidden"), ApiError::Forbidden("message".into()));
        assert_eq!(api(404, "NotFound"), ApiError::NotFound);
        assert_eq!(api(410, "Expired"), ApiError::Gone);
        assert_eq!(api(422, "Invalid"), ApiError::Invalid("message".into()));
        let busy = ApiError::TooManyRequests(None);
        assert_eq!(api(429, "TooManyRequests"), busy);
        assert_eq!(api(500, "InternalError").code(), 500);
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_not_quoted() {
        let answer = r#"{"data": {}, "immutable": "canary"}"#;
        let error = serde_json::from_str::<k8s_openapi::api::core::v1::Secret>(answer)
            .expect_err("not a Secret");
        assert!(
            error.to_string().contains("canary"),
            "the client's own error quotes it: {error}"
        );
        let shown = ApiError::from(&kube::Error::SerdeError(error));
        assert!(!format!("{shown} {shown:?}").contains("canary"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_never_answers_is_given_up() {
        let never = std::future::pending::<kube::Result<()>>();
        assert_eq!(ask(never).await, Err(ApiError::Timeout));
    }
}
