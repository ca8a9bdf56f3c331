//! A control plane with the deployment in it, until standard input ends or a signal comes: what the
//! watchdog tests kill. (`signet-kit up` is the one for people.)
//!
//! Prints `kubeconfig=PATH` and `url=URL` when it is ready.
#![allow(clippy::print_stdout, reason = "its output is what it is for")]

use std::io::Write;

use signet_kit::{ControlPlane, KitError, PlaneOptions};
use tokio::io::AsyncReadExt;

#[tokio::main]
async fn main() -> Result<(), KitError> {
    let plane =
        ControlPlane::with_deployment(PlaneOptions::default().with_controller_manager()).await?;
    let kubeconfig = plane.admin().write(&plane, "admin")?;
    println!("kubeconfig={}\nurl={}", kubeconfig.display(), plane.url());
    let _ = std::io::stdout().flush();
    let (mut stdin, mut rest) = (tokio::io::stdin(), Vec::new());
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = stdin.read_to_end(&mut rest) => {}
    }
    Ok(())
}
