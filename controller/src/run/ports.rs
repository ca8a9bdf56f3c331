//! The ports that are listened on.

use tracing::{error, info};

use super::{RunError, parts::Parts};
use crate::{
    args::Args,
    http::{
        Endpoints,
        serve::{self, Port, ServeError, Timeouts},
    },
};

/// Listens, and serves as parts of the program.
pub(super) fn open(args: &Args, endpoints: &Endpoints, parts: &mut Parts) -> Result<(), RunError> {
    let http = &args.http;
    let timeouts = Timeouts {
        read: http.read_timeout,
    };
    let shutdown = parts.shutdown.clone();
    let main = Port::listen(http.listen_addr)?;
    let metrics = Port::listen(http.listen_metrics_addr)?;
    info!(http = %main.address(), metrics = %metrics.address(), "listening");
    let router = endpoints.router(http.write_timeout);
    parts.add(ended(main.serve(
        router.clone(),
        timeouts,
        shutdown.clone(),
    )));
    parts.add(ended(metrics.serve(
        endpoints.metrics_router(),
        timeouts,
        shutdown.clone(),
    )));
    if let (Some(cert), Some(key)) = (&http.tls_cert, &http.tls_key) {
        let tls = serve::tls(cert, key)?;
        let port = Port::listen(http.tls_addr)?;
        info!(https = %port.address(), "listening");
        parts.add(ended(port.serve_tls(
            router,
            timeouts,
            tls.clone(),
            shutdown,
        )));
        parts.add_endless(serve::reload(tls, cert.clone(), key.clone()));
    }
    Ok(())
}

async fn ended(served: impl Future<Output = Result<(), ServeError>>) {
    if let Err(error) = served.await {
        error!(%error, "a port is no longer served");
    }
}
