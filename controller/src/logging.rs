//! The log: text or JSON, to stderr, and what is neither warning nor error to stdout on request.
//!
//! The Kubernetes client writes whole answers of the API server to its log when it cannot read
//! them, and an answer may be a Secret: its log is off at every level. What matters of it comes
//! back as [`crate::api::ApiError`].
//!
//! One event is one line: what others wrote into an object cannot forge another, nor command the
//! terminal that shows it.

use std::io::{self, Write};

use signet_engine::text;
use tracing::{Level, Metadata, Subscriber, level_filters::LevelFilter};
use tracing_subscriber::{
    Layer, filter, fmt,
    fmt::{MakeWriter, writer::MakeWriterExt},
    layer::SubscriberExt,
    registry::LookupSpan,
    util::SubscriberInitExt,
};

use crate::args::{Args, LogFormat, LogLevel};

/// Sends the log where the flags say, for the rest of the program. Panics go there too, without
/// what they say.
pub fn start(args: &Args) {
    let level = level(args.log_level);
    let layer = if args.log_info_stdout {
        let quiet = io::stdout.with_min_level(Level::INFO);
        layer(
            args.log_format,
            level,
            io::stderr.with_max_level(Level::WARN).or_else(quiet),
        )
    } else {
        layer(args.log_format, level, io::stderr)
    };
    // An error means that somebody has set up a log before: that one stays.
    let _ = tracing_subscriber::registry().with(layer).try_init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        tracing::error!(%place, "internal error: a panic; please report it with this place");
    }));
}

/// A layer that writes what may be written, in the given form.
fn layer<S, W>(format: LogFormat, level: LevelFilter, writer: W) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let allowed = filter::filter_fn(may_be_written);
    match format {
        LogFormat::Text => fmt::layer()
            .with_ansi(false)
            .with_target(false)
            .with_writer(OneLine(writer))
            .with_filter(level)
            .with_filter(allowed)
            .boxed(),
        LogFormat::Json => fmt::layer()
            .json()
            .flatten_event(true)
            .with_target(false)
            .with_writer(writer)
            .with_filter(level)
            .with_filter(allowed)
            .boxed(),
    }
}

/// Where each event goes as one line.
struct OneLine<W>(W);

impl<'a, W: MakeWriter<'a>> MakeWriter<'a> for OneLine<W> {
    type Writer = OneLine<W::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        OneLine(self.0.make_writer())
    }

    fn make_writer_for(&'a self, metadata: &Metadata<'_>) -> Self::Writer {
        OneLine(self.0.make_writer_for(metadata))
    }
}

impl<W: Write> Write for OneLine<W> {
    /// The layer writes a whole event at once, with a line break at its end.
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let shown = String::from_utf8_lossy(event);
        let content = shown.strip_suffix('\n').unwrap_or(&shown);
        self.0
            .write_all(format!("{}\n", text::line(content)).as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Our own lines at every level, those of libraries when something is wrong, those of the
/// Kubernetes client never.
fn may_be_written(metadata: &Metadata<'_>) -> bool {
    let crate_name = metadata.target().split("::").next().unwrap_or_default();
    match crate_name {
        "kube_client" | "kube_runtime" => false,
        name if name.starts_with("signet") => true,
        _ => *metadata.level() <= Level::WARN,
    }
}

fn level(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Error => LevelFilter::ERROR,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0
                .lock()
                .map_err(|_| io::Error::other("poisoned"))?
                .extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(format: LogFormat, write: impl FnOnce()) -> String {
        let buffer = Buffer::default();
        let writer = buffer.clone();
        let layer = layer(format, LevelFilter::DEBUG, move || writer.clone());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), write);
        let bytes = buffer
            .0
            .lock()
            .expect("no test panics while writing")
            .clone();
        String::from_utf8(bytes).expect("logs are text")
    }

    #[test]
    fn libraries_are_heard_when_something_is_wrong_and_the_kubernetes_client_never() {
        for format in [LogFormat::Text, LogFormat::Json] {
            let log = logged(format, || {
                tracing::error!(target: "kube_client::client", "canary");
                tracing::warn!(target: "kube_runtime", "canary");
                tracing::warn!(target: "rustls::client", "theirs");
                tracing::debug!(target: "hyper_util", "canary");
                tracing::debug!("ours");
            });
            assert!(
                log.contains("ours") && log.contains("theirs") && !log.contains("canary"),
                "{log}"
            );
        }
    }

    #[test]
    fn an_event_is_one_line_whatever_others_wrote_into_it() {
        let forged = "x\n2026-01-01T00:00:00Z  INFO making a sealing key reason=forged\u{1b}[2J\r";
        for format in [LogFormat::Text, LogFormat::Json] {
            let log = logged(format, || {
                tracing::warn!(why = %forged, "not as described: {forged}");
                tracing::info!(name = forged, "another");
            });
            assert_eq!(log.lines().count(), 2, "{log}");
            assert!(log.ends_with('\n'));
            let is_plain = |c: char| c == '\n' || !c.is_control();
            assert!(log.chars().all(is_plain), "{log:?}");
        }
    }

    #[test]
    fn json_lines_are_json() {
        let log = logged(LogFormat::Json, || {
            tracing::info!(object = "a/b", "text with \"quotes\"");
        });
        let line: serde_json::Value = serde_json::from_str(&log).expect("a line of JSON");
        assert_eq!(
            (&line["message"], &line["object"]),
            (&"text with \"quotes\"".into(), &"a/b".into())
        );
    }
}
