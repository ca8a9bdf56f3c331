//! `signet-kit up`: a control plane and the controller, for the demo and for trying things by hand.
//!
//! Prints shell assignments that say where they are, then a line `ready`. Stays until its standard
//! input closes; a line on it is a command:
//!
//! - `renew`: the controller makes a new key, as on `SIGUSR1`
//! - `restart`: the controller is killed and started again
//!
//! Each is answered by a line `done`.
#![expect(clippy::print_stdout, reason = "what it prints is its result")]

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};

use signet_kit::controller::{NAME, NAMESPACE};
use signet_kit::{ControlPlane, Controller, ControllerOptions, PlaneOptions, ServiceProxy, tools};
use tokio::runtime::Runtime;

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().skip(1).collect::<Vec<_>>() != ["up"] {
        return Err("usage: signet-kit up".into());
    }
    let runtime = Runtime::new()?;
    let plane = runtime.block_on(ControlPlane::with_deployment(
        PlaneOptions::default().with_controller_manager(),
    ))?;
    let proxy = runtime.block_on(async { ServiceProxy::start(&plane) })?;
    let mut controller =
        runtime.block_on(Controller::start(&plane, ControllerOptions::default()))?;
    proxy.route(NAMESPACE, NAME, controller.http_port());

    let kubeconfig = proxy.access().write(&plane, "user")?;
    println!("export KUBECONFIG='{}'", kubeconfig.display());
    println!("export KUBECTL='{}'", tools().path("kubectl").display());
    println!("CONTROLLER='{}'", controller.http_url(""));
    println!("LOGS='{}'", plane.workdir().path().display());
    say("ready")?;

    for line in stdin().lock().lines() {
        match line?.as_str() {
            "renew" => controller.request_key()?,
            "restart" => runtime.block_on(controller.restart())?,
            other => return Err(format!("`{other}` is none of renew, restart").into()),
        }
        say("done")?;
    }
    controller.stop();
    Ok(())
}

/// Whoever started this reads a pipe, line by line.
fn say(line: &str) -> std::io::Result<()> {
    println!("{line}");
    stdout().flush()
}
