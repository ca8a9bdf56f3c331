//! One ExternalSecret: from what is known of it to its Secret, its status and events.
//!
//! # Guarantees
//!
//! - Nothing is asked of a store before it is due, and nothing is written that would change nothing.
//! - Every write carries the UID and version of the Secret that it was decided on.
//! - Whatever fails, the Secret stays as it was, others go on, and this one comes back.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::{Timestamp, tz::TimeZone};
use k8s_openapi::{api::core::v1::Secret, apimachinery::pkg::apis::meta::v1::ObjectMeta};
use kube::{
    Api,
    api::{DeleteParams, PostParams, Preconditions},
};
use signet_crds::external::{constants::event, external_secret::ExternalSecret};
use signet_engine::{
    external::{
        answers::Answers,
        events, hash, needs,
        outcome::{Failure, Outcome},
        plan::{self, Action, Plan},
        press::GoPress,
        refresh::{self, Refresh, Why},
        retry, status,
    },
    manifest::SecretManifest,
    outcome::ApiFailure,
};
use signet_templates::{Ambient, Options};
use tracing::{debug, info, warn};

use super::{External, api, build, fetch, key::Key, objects::Known};
use crate::{
    api::{ApiError, ask, optional},
    object::{self, ObjectKey},
    queue::Priority,
};

/// Times that a Secret that has changed meanwhile is looked at again.
const TRIES: usize = 4;
/// Delay of the next attempt after a status that could not be written.
const SOON: Duration = Duration::from_secs(10);
/// How old an answer may be for a resource that is new: those that are applied together share reads.
const TOGETHER: Duration = Duration::from_secs(10);

/// Works on one ExternalSecret.
pub(super) async fn run(external: &External, key: &ObjectKey) {
    let Some(known) = external.objects.secret(key) else {
        return;
    };
    if known.object.metadata.deletion_timestamp.is_some() {
        deletion::let_go(external, key, &known.object).await;
        return;
    }
    let began = Instant::now();
    external.metrics.count_sync(key);
    let target = ObjectKey::new(
        key.namespace.clone(),
        known.object.spec.target.name(&key.name),
    );
    match due(external, &known, &target).await {
        Ok(Due::Now(why)) => {
            let outcome = refresh(external, key, &known, &target, why).await;
            ended(external, key, &known.object, &outcome).await;
        }
        Ok(Due::At(time)) => {
            external.work.succeeded(&Key::Secret(key.clone()));
            wait_until(external, key, time);
        }
        Ok(Due::Never) => external.work.succeeded(&Key::Secret(key.clone())),
        Err(error) => {
            let outcome = Outcome::Failed(Failure::Api(error.failure("read the Secret")));
            ended(external, key, &known.object, &outcome).await;
        }
    }
    external.metrics.observe_reconcile(key, began.elapsed());
}

enum Due {
    Now(Why),
    At(Timestamp),
    Never,
}

/// Whether the stores are to be asked. The Secret is read only where nobody knows whether it is as it was
/// left.
async fn due(external: &External, known: &Known, target: &ObjectKey) -> Result<Due, ApiError> {
    let now = Timestamp::now();
    let mut decided = refresh::decide(&known.object, &external.objects.target(target), now);
    if decided == Refresh::Verify {
        match read(external, target).await? {
            Some(secret) => {
                let (meta, valid) = (&secret.expose().metadata, hash::holds(secret.expose()));
                external.objects.know_target(target.clone(), meta, valid);
            }
            None => external.objects.lose_target(target),
        }
        decided = refresh::decide(&known.object, &external.objects.target(target), now);
    }
    Ok(match decided {
        Refresh::Now(why) => Due::Now(why),
        Refresh::Wait(time) => Due::At(time),
        Refresh::Never | Refresh::Verify => Due::Never,
    })
}

/// Asks the stores, plans and writes.
async fn refresh(
    external: &External,
    key: &ObjectKey,
    known: &Known,
    target: &ObjectKey,
    why: Why,
) -> Outcome {
    debug!(object = %key, ?why, "refreshing");
    let needs = match needs::of(&known.object) {
        Ok(needs) => needs,
        Err(error) => return Outcome::Failed(error.into()),
    };
    let since = since(external, known, why);
    let answers = match fetch::answers(external, &key.namespace, &needs, since).await {
        Ok(answers) => answers,
        Err(failure) => return Outcome::Failed(failure),
    };
    // A Secret that nobody has seen is not asked for: creating it tells whether it is there.
    let mut look = external.objects.target(target).exists || !creates(&known.object);
    for _ in 0..TRIES {
        let observed = if look {
            read(external, target).await
        } else {
            Ok(None)
        };
        let observed = match observed {
            Ok(observed) => observed,
            Err(error) => return Outcome::Failed(Failure::Api(error.failure("read the Secret"))),
        };
        let secret = observed.as_ref().map(SecretManifest::expose);
        let plan = planned(external, &known.object, &answers, secret);
        if external.shared.settings.observe {
            info!(object = %key, would = describe(&plan.action), "observing");
            return plan.outcome;
        }
        match apply(external, key, known, target, &plan).await {
            Ok(written) => {
                if let Some(meta) = written.as_ref().or(secret.map(|secret| &secret.metadata)) {
                    external.objects.know_target(target.clone(), meta, true);
                }
                for event in &plan.events {
                    external
                        .shared
                        .events
                        .publish(&*known.object, event::COMPONENT, event);
                }
                return plan.outcome;
            }
            Err(ApiError::AlreadyExists | ApiError::Conflict | ApiError::NotFound) => look = true,
            Err(error) => return Outcome::Failed(Failure::Api(error.failure("write the Secret"))),
        }
    }
    let failure = ApiFailure {
        code: Some(409),
        message: "the Secret changes faster than it can be written".to_owned(),
        retry_after: None,
    };
    Outcome::Failed(Failure::Api(failure))
}

/// Decides what becomes of the Secret. Templates see the time and random bytes.
fn planned(
    external: &External,
    object: &ExternalSecret,
    answers: &Answers,
    secret: Option<&Secret>,
) -> Plan {
    let mut random = build::fill;
    let ambient = Ambient {
        now: Timestamp::now(),
        // As in the peer's container.
        zone: TimeZone::UTC,
        random: &mut random,
    };
    let mut press = GoPress::new(Options::default(), ambient);
    let policy = &external.settings.policy;
    plan::plan(object, answers, secret, policy, &mut press)
}

/// From when on answers will do.
fn since(external: &External, known: &Known, why: Why) -> Instant {
    let interval = known.object.spec.refresh_interval().to_std();
    let ago = |age: Duration| Instant::now().checked_sub(age).unwrap_or(external.started);
    match why {
        // Of a Secret that was changed by others, what the last refresh had will do.
        Why::Interval | Why::Clock | Why::TargetMissing | Why::TargetChanged => {
            ago(fetch::age(interval))
        }
        // Whoever changes what has never been in order has done something about it.
        Why::First if known.edited => known.changed,
        Why::First => ago(fetch::age(interval).min(TOGETHER)),
        Why::Changed => known.changed,
    }
}

/// Whether it makes a Secret where there is none.
fn creates(object: &ExternalSecret) -> bool {
    use signet_crds::external::external_secret::CreationPolicy;
    !matches!(
        object.spec.target.creation_policy,
        CreationPolicy::Merge | CreationPolicy::None
    )
}

async fn read(external: &External, target: &ObjectKey) -> Result<Option<SecretManifest>, ApiError> {
    let found = optional(ask(secrets(external, target).get(&target.name)).await)?;
    Ok(found.map(SecretManifest::new))
}

/// Does what the plan says, unless the object went away meanwhile. Returns the metadata of the Secret if
/// it was written.
async fn apply(
    external: &External,
    key: &ObjectKey,
    known: &Known,
    target: &ObjectKey,
    plan: &Plan,
) -> Result<Option<ObjectMeta>, ApiError> {
    let api = secrets(external, target);
    let params = PostParams {
        field_manager: Some(hash::field_manager(&key.name)),
        ..PostParams::default()
    };
    match &plan.action {
        Action::Create(_) | Action::Update(_) if is_gone(external, key, known) => Ok(None),
        Action::Create(secret) => {
            let made = ask(api.create(&params, secret.expose())).await?;
            info!(object = %key, secret = %target.name, "the Secret is made");
            Ok(Some(SecretManifest::new(made).expose().metadata.clone()))
        }
        Action::Update(secret) => {
            let written = ask(api.replace(&target.name, &params, secret.expose())).await?;
            info!(object = %key, secret = %target.name, "the Secret is updated");
            Ok(Some(SecretManifest::new(written).expose().metadata.clone()))
        }
        Action::Delete {
            uid,
            resource_version,
        } => {
            let preconditions = Preconditions {
                uid: Some(uid.clone()),
                resource_version: Some(resource_version.clone()),
            };
            let params = DeleteParams::default().preconditions(preconditions);
            ask(api.delete(&target.name, &params)).await?;
            external.objects.lose_target(target);
            info!(object = %key, secret = %target.name, "the Secret is deleted");
            Ok(None)
        }
        Action::Keep => Ok(None),
    }
}

fn is_gone(external: &External, key: &ObjectKey, known: &Known) -> bool {
    let there = external.objects.secret(key);
    there.is_none_or(|there| there.object.metadata.uid != known.object.metadata.uid)
}

fn secrets(external: &External, target: &ObjectKey) -> Api<Secret> {
    Api::namespaced(external.shared.client.clone(), &target.namespace)
}

fn describe(action: &Action) -> &'static str {
    match action {
        Action::Create(_) => "create the Secret",
        Action::Update(_) => "update the Secret",
        Action::Delete { .. } => "delete the Secret",
        Action::Keep => "leave the Secret as it is",
    }
}

/// Reports, counts, and asks for the next turn.
async fn ended(
    external: &External,
    key: &ObjectKey,
    object: &Arc<ExternalSecret>,
    outcome: &Outcome,
) {
    let item = Key::Secret(key.clone());
    let reported = report(external, key, object, outcome).await;
    if let Outcome::Failed(failure) = outcome {
        external.metrics.count_sync_error(key);
        let attempt = external.work.failed(&item);
        let delay = retry::delay(object, failure, attempt, object::seed(&object.metadata));
        if attempt == 1 {
            warn!(object = %key, reason = failure.reason(), message = %failure, "the Secret is not as described");
        }
        external.work.add_after(item, Priority::Routine, delay);
        return;
    }
    if let Err(error) = reported {
        warn!(object = %key, %error, "cannot write the status");
        external.work.failed(&item);
        external.work.add_after(item, Priority::Routine, SOON);
        return;
    }
    external.work.succeeded(&item);
    // The status that was just written says when the next refresh is due.
    if let Some(known) = external.objects.secret(key) {
        let target = ObjectKey::new(
            key.namespace.clone(),
            known.object.spec.target.name(&key.name),
        );
        let target = external.objects.target(&target);
        if let Refresh::Wait(time) = refresh::decide(&known.object, &target, Timestamp::now()) {
            wait_until(external, key, time);
        }
    }
}

async fn report(
    external: &External,
    key: &ObjectKey,
    object: &Arc<ExternalSecret>,
    outcome: &Outcome,
) -> Result<(), ApiError> {
    if external.shared.settings.observe {
        return Ok(());
    }
    if let Outcome::Failed(failure) = outcome
        && let Some(event) = events::failed(object, &failure.to_string())
    {
        external
            .shared
            .events
            .publish(&**object, event::COMPONENT, &event);
    }
    let mut latest = external
        .objects
        .secret(key)
        .map_or_else(|| object.clone(), |known| known.object);
    for _ in 0..TRIES {
        let same = latest.metadata.uid == object.metadata.uid
            && latest.metadata.generation == object.metadata.generation;
        if !same {
            return Ok(());
        }
        let Some(status) = status::after(&latest, outcome, Timestamp::now()) else {
            return Ok(());
        };
        let written = api::write_status(&external.shared.client, &*latest, &status).await;
        match written {
            Ok(written) => {
                external.objects.update_secret(written);
                return Ok(());
            }
            Err(ApiError::NotFound) => return Ok(()),
            Err(ApiError::Conflict) => {
                let client = external.shared.client.clone();
                let api: Api<ExternalSecret> = Api::namespaced(client, &key.namespace);
                match optional(ask(api.get(&key.name)).await)? {
                    Some(found) => latest = Arc::new(found),
                    None => return Ok(()),
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(ApiError::Conflict)
}

fn wait_until(external: &External, key: &ObjectKey, time: Timestamp) {
    let wait = time.duration_since(Timestamp::now());
    let wait = Duration::try_from(wait).unwrap_or_default();
    external
        .work
        .add_after(Key::Secret(key.clone()), Priority::Routine, wait);
}

mod deletion;
