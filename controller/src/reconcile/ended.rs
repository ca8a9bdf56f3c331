//! The end of an attempt: it is reported and counted, and the next one asked for where one is due.

use std::time::{Duration, Instant};

use signet_crds::sealed_secret::SealedSecret;
use signet_engine::{
    outcome::{Failure, Outcome},
    retry, text,
};
use tracing::{debug, warn};

use super::READ;
use crate::{
    api::ApiError,
    context::Context,
    metrics::Ended,
    object::{self, ObjectKey},
    queue::Priority,
    report::{report, write_status},
    rival::{Rival, TRUCE},
};

const WRITE_STATUS: &str = "write the status";
const LOST_OFTEN: &str = "the Secret is deleted again and again right after it was made, so it is \
    made again at growing intervals, of five minutes in the end: find out what deletes it";
const SERVICE_ACCOUNT_TOKEN: &str = "kubernetes.io/service-account-token";

/// Reports, counts, and asks for the next attempt where one is due.
pub(super) async fn ended(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    outcome: &Outcome,
) -> Ended {
    let reported = report(context, key, sealed, outcome).await;
    match outcome {
        Outcome::Failed(failure) => {
            if let Err(error) = &reported {
                debug!(object = %key, %error, "cannot write the status");
            }
            failed(context, key, sealed, failure)
        }
        _ => told(context, key, sealed, outcome, reported),
    }
}

/// What was applied before is in no status yet: tries to write it, and nothing else.
pub(super) async fn ended_before(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    outcome: &Outcome,
) -> Ended {
    let written = write_status(context, key, sealed, outcome).await;
    told(context, key, sealed, outcome, written)
}

/// A success counts when it was told.
fn told(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    outcome: &Outcome,
    reported: Result<(), ApiError>,
) -> Ended {
    let Err(error) = reported else {
        context.unwritten.forget(key);
        context.work.succeeded(key);
        return Ended::Synced;
    };
    context.unwritten.note(key, sealed, outcome);
    let attempt = context.work.failed(key);
    if attempt == 1 {
        warn!(object = %key, %error, "cannot {WRITE_STATUS}");
    } else {
        debug!(object = %key, %error, attempt, "still cannot {WRITE_STATUS}");
    }
    let failure = api_failure(&error, WRITE_STATUS);
    let delay = retry::delay(&failure, attempt, object::seed(&sealed.metadata));
    context
        .work
        .add_after(key.clone(), Priority::Routine, delay);
    Ended::Failed
}

fn failed(context: &Context, key: &ObjectKey, sealed: &SealedSecret, failure: &Failure) -> Ended {
    context.metrics.count_error(metric(failure), &key.namespace);
    let attempt = context.work.failed(key);
    let delay = retry::delay(failure, attempt, object::seed(&sealed.metadata));
    let (reason, why) = (failure.reason(), failure.message());
    if attempt == 1 {
        warn!(object = %key, reason, %why, "the Secret is not as described");
    } else {
        debug!(object = %key, reason, %why, attempt, "the Secret is still not as described");
    }
    context
        .work
        .add_after(key.clone(), Priority::Routine, delay);
    Ended::Failed
}

/// Leaves an object alone that another controller writes, and says so.
pub(super) async fn truce(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    rival: &Rival,
) -> Ended {
    let writer = text::name(&rival.writer);
    warn!(object = %key, %writer, "another controller writes the same object, it is left alone for a while");
    let message = format!(
        "`{writer}` writes this SealedSecret or its Secret as well, so it is left alone for {} s at a time; \
         stop one of the two controllers, or start this one with --observe",
        TRUCE.as_secs()
    );
    wait(context, key, sealed, message, rival.wait, Priority::Routine).await
}

/// The name of the Secret has just become free: it is made when it may be.
pub(super) async fn later(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    delay: Duration,
) -> Ended {
    if !context.vacancies.is_lost_often(key, Instant::now()) {
        context.work.add_after(key.clone(), Priority::Urgent, delay);
        return Ended::Unchanged;
    }
    warn!(object = %key, seconds = delay.as_secs(), "its Secret is deleted again and again, it is made again later");
    let token = sealed.spec.template.type_.as_deref() == Some(SERVICE_ACCOUNT_TOKEN);
    let hint = if token {
        "; Kubernetes deletes one of this type whose ServiceAccount does not exist"
    } else {
        ""
    };
    let message = format!("{LOST_OFTEN}{hint}");
    wait(context, key, sealed, message, delay, Priority::Urgent).await
}

/// Others are at work on the Secret.
async fn wait(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    message: String,
    delay: Duration,
    priority: Priority,
) -> Ended {
    let outcome = Outcome::Failed(Failure::OtherWriter(message));
    if let Err(error) = report(context, key, sealed, &outcome).await {
        debug!(object = %key, %error, "cannot {WRITE_STATUS}");
    }
    context.work.add_after(key.clone(), priority, delay);
    Ended::Failed
}

/// A failure of the API server while doing something.
pub(super) fn api_failure(error: &ApiError, doing: &str) -> Failure {
    Failure::Api(error.failure(doing))
}

/// The reason under which a failure is counted.
fn metric(failure: &Failure) -> &'static str {
    match failure {
        Failure::Api(failure) if failure.message.starts_with(&format!("cannot {READ}")) => "fetch",
        failure => failure.metric(),
    }
}
