//! `sops keyservice`

use crate::{Context, ExitStatus, Failure};

use super::super::parser::Arguments;

/// Runs `sops keyservice`: until a signal ends it.
#[cfg(feature = "full")]
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    full::run(arguments, context)
}

/// Runs `sops keyservice`: not in this build.
#[cfg(not(feature = "full"))]
pub(in super::super) fn run(_: &Arguments, _: &mut Context) -> Result<ExitStatus, Failure> {
    Err(Failure::new("this build has no key service").with_hint("build with `--features full`"))
}

#[cfg(feature = "full")]
mod full {
    use std::sync::Arc;

    use signet_providers::remote::{Address, Consent, Listener, Operation, serve};
    use signet_providers::{Local, Policy, Prompt};
    use tokio::signal::unix::{SignalKind, signal};

    use super::super::super::codes::{self, fail};
    use super::super::super::flags::{ADDRESS, NETWORK, PROMPT, VERBOSE};
    use super::super::super::log::{self, Level};
    use super::{Arguments, Context, ExitStatus, Failure};
    use crate::secrets::environment;
    use crate::ui::Asker;

    pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<ExitStatus, Failure> {
        let flags = &arguments.flags;
        let address = address(
            flags.text(&NETWORK).unwrap_or("tcp"),
            flags.text(&ADDRESS).unwrap_or("127.0.0.1:5000"),
        );
        let served = address.and_then(|address| serve_at(&address, arguments, context));
        if let Err(failure) = served {
            let told = format!("Error running keyservice: {}", failure.message);
            log::write(context, Level::Error, &told);
            log::write(context, Level::Fatal, &failure.message);
            // All is told.
            return Err(fail(codes::GENERIC, ""));
        }
        Ok(ExitStatus::Success)
    }

    fn serve_at(
        address: &Address,
        arguments: &Arguments,
        context: &mut Context,
    ) -> Result<(), Failure> {
        let flags = &arguments.flags;
        let verbose = flags.is_on(&VERBOSE) || arguments.program.is_on(&VERBOSE);
        let asker = Arc::new(Asker::new(&context.ui));
        let consent = flags.is_on(&PROMPT).then(|| consent(Arc::clone(&asker)));
        let prompt: Arc<dyn Prompt> = asker;
        let local = Local::new(&environment(context), Policy::everything(), &prompt);
        let runtime = tokio::runtime::Runtime::new()
            .map_err(|error| fail(codes::GENERIC, format!("cannot start: {error}")))?;
        runtime.block_on(async {
            let failed =
                |error: &dyn std::error::Error| fail(codes::GENERIC, crate::error::chain(error));
            let listener = Listener::bind(address)
                .await
                .map_err(|error| failed(&error))?;
            if verbose {
                let told = format!("Listening on {}", listener.address());
                log::write_of(context, "KEYSERVICE", Level::Info, &told);
            }
            let mut ended = signal(SignalKind::terminate()).map_err(|error| failed(&error))?;
            let stop = async move {
                tokio::select! {
                    _ = tokio::signal::ctrl_c() => {}
                    _ = ended.recv() => {}
                }
            };
            let served = serve(listener, Arc::new(local), consent, stop).await;
            served.map_err(|error| failed(&error))
        })
    }

    fn address(network: &str, address: &str) -> Result<Address, Failure> {
        match network {
            "tcp" => Ok(Address::Tcp(address.to_owned())),
            "unix" => Ok(Address::Unix(address.into())),
            other => Err(fail(
                codes::GENERIC,
                format!("listen {other}: unknown network {other}"),
            )),
        }
    }

    /// Asks before a request is worked on.
    fn consent(asker: Arc<Asker>) -> Consent {
        Arc::new(move |operation, key| {
            let verb = match operation {
                Operation::Encrypt => "encrypt",
                Operation::Decrypt => "decrypt",
            };
            let question = format!(
                "A client asks to {verb} with {} {key}. Allow it?",
                key.type_name()
            );
            asker.confirm(&question, "y", Some("n")).unwrap_or(false)
        })
    }
}
