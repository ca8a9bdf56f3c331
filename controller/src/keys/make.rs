//! Making a key where one is due: at start, after the renewal period, past the cutoff, and on
//! SIGUSR1.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::core::v1::Secret;
use kube::{Api, ResourceExt, api::PostParams};
use signet_engine::ring::{Need, NewKey, Renewal, Why, key_secret, needs_key};
use signet_keys::{
    certificate::{Certificate, SelfSigned},
    rsa::PrivateKey,
};
use thiserror::Error;
use tokio::{signal::unix, time::Instant};
use tracing::{error, info, warn};

use super::{Seen, Shared, lost::LastKey, reload};
use crate::{
    api::{ApiError, ask},
    args::KeyArgs,
    client::FIELD_MANAGER,
    context::Context,
    metrics::Written,
    watch::KEY_WATCHES_PREFIX,
};

/// Time until a key that could not be made is tried again.
const AGAIN: Duration = Duration::from_secs(10);
/// The longest sleep: clocks are set, and a machine may have slept.
const LONGEST: Duration = Duration::from_hours(1);

/// Why no key was made.
#[derive(Debug, Error)]
enum MakeError {
    /// The key or its certificate.
    #[error("cannot generate the key: {0}")]
    Generate(String),
    /// The Secret.
    #[error("cannot store the key: {0}")]
    Store(#[from] ApiError),
}

/// Makes keys for as long as the program runs, while this replica leads. Nothing is made before all
/// keys that there are have been seen (sealed-secrets#1588), and nothing ever where keys are only
/// brought (sealed-secrets#702).
pub async fn keep(context: Shared, args: KeyArgs) {
    let mut leadership = context.leadership.clone();
    let mut ring = context.ring.subscribe();
    let mut asked = unix::signal(unix::SignalKind::user_defined1()).ok();
    let may_mint = !args.require_existing_key && !context.settings.observe;
    // Asked once: a key that is made now is older than a cutoff in the future, and so would be the
    // next.
    let mut cutoff = args.cutoff();
    let mut told = None;
    let mut last = LastKey::default();
    context.health.wait_synced(KEY_WATCHES_PREFIX).await;
    loop {
        leadership.acquired().await;
        let renewal = Renewal {
            period: period(args.key_renew_period),
            cutoff: cutoff.take(),
            may_mint,
        };
        let there = !ring.borrow_and_update().is_empty();
        let now = Instant::now();
        let lost = last.wait(there, now);
        let wait = match needs_key(&context.keys.keys(), Timestamp::now(), &renewal) {
            Need::Key(Why::NoKey) if let Some(left) = lost => {
                if last.is_lost_at(now) {
                    warn!(
                        seconds = left.as_secs(),
                        "the last sealing key is gone, another is made unless it is restored by then"
                    );
                }
                left
            }
            Need::Key(why) => {
                info!(reason = reason(why), "making a sealing key");
                if make(&context, &args).await {
                    Duration::ZERO
                } else {
                    AGAIN
                }
            }
            Need::Rescue(why) => {
                if told.replace(why) != Some(why) {
                    warn!(
                        reason = reason(why),
                        "a sealing key is needed and may not be made here: restore one"
                    );
                }
                LONGEST
            }
            Need::Nothing { until } => until.map_or(LONGEST, until_then).min(LONGEST),
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            // The sender lives as long as the context.
            _ = ring.changed() => {}
            () = signalled(&mut asked) => on_signal(&context, &args, may_mint).await,
        }
    }
}

async fn on_signal(context: &Context, args: &KeyArgs, may_mint: bool) {
    if !may_mint {
        warn!("a sealing key was asked for by signal and may not be made here");
    } else if !context.leadership.is_leader() {
        warn!(
            "a sealing key was asked for by signal, and this replica does not lead: ask the leader"
        );
    } else {
        info!("making a sealing key, asked for by signal");
        make(context, args).await;
    }
}

async fn signalled(signal: &mut Option<unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Makes a key and takes it into use; false if that failed.
async fn make(context: &Context, args: &KeyArgs) -> bool {
    match generate_and_store(context, args).await {
        Ok(secret) => {
            let made = secret.name_any();
            context.keys.put(Seen::Label, secret);
            reload(context);
            if let Some(newest) = context.ring.now().newest()
                && newest.name != made
            {
                warn!(
                    made,
                    newest = newest.name,
                    "the sealing key that was made is not the newest, so nobody seals with it: was a clock \
                     wrong? see --key-order-priority"
                );
            }
            true
        }
        Err(error) => {
            error!(%error, "no sealing key was made, trying again");
            false
        }
    }
}

async fn generate_and_store(context: &Context, args: &KeyArgs) -> Result<Secret, MakeError> {
    let (bits, content) = (args.key_size as usize, content(args, Timestamp::now()));
    let failed = |text: &dyn ToString| MakeError::Generate(text.to_string());
    let generated = context.pool.run(move |_| {
        let private = PrivateKey::generate(bits).map_err(|error| failed(&error))?;
        let certificate =
            Certificate::self_signed(&private, &content).map_err(|error| failed(&error))?;
        Ok::<_, MakeError>((private, certificate))
    });
    let (private, certificate) = generated.await.map_err(|error| failed(&error))??;
    let secret = key_secret(&NewKey {
        namespace: &context.settings.namespace,
        prefix: &args.key_prefix,
        private: &private,
        certificate: &certificate,
        labels: &args.privatekey_labels.0,
        annotations: &args.privatekey_annotations.0,
    });
    let api: Api<Secret> = Api::namespaced(context.client.clone(), &context.settings.namespace);
    let params = PostParams {
        field_manager: Some(FIELD_MANAGER.into()),
        ..Default::default()
    };
    let stored = ask(api.create(&params, secret.expose())).await?;
    context.metrics.count_write(Written::SecretCreated);
    Ok(stored)
}

fn content(args: &KeyArgs, now: Timestamp) -> SelfSigned {
    SelfSigned {
        common_name: args.my_cn.clone(),
        not_before: now,
        lifetime: SignedDuration::try_from(args.key_ttl).unwrap_or(SignedDuration::MAX),
    }
}

fn period(period: Duration) -> Option<SignedDuration> {
    (!period.is_zero()).then(|| SignedDuration::try_from(period).unwrap_or(SignedDuration::MAX))
}

fn until_then(then: Timestamp) -> Duration {
    Duration::try_from(then.duration_since(Timestamp::now())).unwrap_or(Duration::ZERO)
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::NoKey => "there is none",
        Why::Cutoff => "the newest is from before the cutoff time",
        Why::Renewal => "the newest has served the renewal period",
        Why::Expired => "the certificate of the newest has expired",
    }
}
