//! The `signet-controller` binary, outside the cluster.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rustix::process::Signal;

use crate::cargo;
use crate::control_plane::ControlPlane;
use crate::error::KitError;
use crate::kubeconfig::Access;
use crate::metrics::Metrics;
use crate::port;
use crate::process::{Launch, Process};
use crate::sealer::Sealer;
use crate::wait::{PATIENCE, wait_for};

pub(crate) mod usage;

pub use usage::Usage;

/// The namespace of the deployment, where keys and Lease are.
pub const NAMESPACE: &str = "kube-system";
/// The ServiceAccount and the Service of the deployment.
pub const NAME: &str = "sealed-secrets-controller";

/// How a controller is started.
#[derive(Clone, Debug)]
pub struct Options {
    namespace: String,
    access: Option<Access>,
    server: Option<String>,
    args: Vec<OsString>,
    env: Vec<(String, String)>,
    program: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            namespace: NAMESPACE.into(),
            access: None,
            server: None,
            args: Vec::new(),
            env: Vec::new(),
            program: None,
        }
    }
}

impl Options {
    /// The namespace of its keys and its Lease, `kube-system` unless set.
    #[must_use]
    pub fn namespace(mut self, namespace: &str) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// Another identity than the deployment's ServiceAccount.
    #[must_use]
    pub fn access(mut self, access: Access) -> Self {
        self.access = Some(access);
        self
    }

    /// Another way to the API server: a [`ServiceProxy`](crate::ServiceProxy).
    #[must_use]
    pub fn through(mut self, server: &str) -> Self {
        self.server = Some(server.into());
        self
    }

    /// One more argument; the last of a repeated flag counts.
    #[must_use]
    pub fn arg(mut self, arg: &str) -> Self {
        self.args.push(arg.into());
        self
    }

    /// A variable of the environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Another binary.
    #[must_use]
    pub fn program(mut self, program: PathBuf) -> Self {
        self.program = Some(program);
        self
    }
}

/// A controller. Dropping it kills it.
#[derive(Debug)]
pub struct Controller {
    launch: Launch,
    log: PathBuf,
    http: u16,
    metrics: u16,
    process: Option<Process>,
}

impl Controller {
    /// Starts a controller and returns when it is ready. It runs as the ServiceAccount of the
    /// deployment, with a token as the kubelet would give it, and makes keys of 2048 bits unless told
    /// otherwise.
    pub async fn start(plane: &ControlPlane, options: Options) -> Result<Self, KitError> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let mut controller = Self::spawn(plane, options.clone()).await?;
            match controller.wait_ready().await {
                Ok(()) => return Ok(controller),
                // Somebody else may have taken one of its ports.
                Err(error) if attempt == 3 || !error.to_string().contains("in use") => {
                    return Err(error);
                }
                Err(_) => {}
            }
        }
    }

    /// Starts a controller without waiting for it.
    pub async fn spawn(plane: &ControlPlane, options: Options) -> Result<Self, KitError> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("controller-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let access = match options.access {
            Some(access) => access,
            None => plane.service_account(NAMESPACE, NAME).await?,
        };
        let server = options.server.unwrap_or(access.server.clone());
        let kubeconfig = access.through(&server).write(plane, &name)?;
        let free = || port::free().map_err(KitError::io("bind", "127.0.0.1"));
        let (http, metrics) = (free()?, free()?);
        let launch = Launch::new(&name, options.program.unwrap_or_else(cargo::controller))
            .arg(format!("--kubeconfig={}", kubeconfig.display()))
            .arg(format!("--listen-addr=127.0.0.1:{http}"))
            .arg(format!("--listen-metrics-addr=127.0.0.1:{metrics}"))
            .arg("--key-size=2048")
            .args(options.args)
            .env("POD_NAMESPACE", options.namespace);
        let launch = options
            .env
            .into_iter()
            .fold(launch, |launch, (name, value)| launch.env(name, value));
        let log = plane.log_path(&name);
        let process = Process::spawn(&launch, &log)?;
        Ok(Self {
            launch,
            log,
            http,
            metrics,
            process: Some(process),
        })
    }

    /// Waits until `/readyz` says so.
    pub async fn wait_ready(&mut self) -> Result<(), KitError> {
        let url = self.http_url("/readyz");
        match self.process.as_mut() {
            Some(process) => crate::control_plane::until_answer(process, &url).await,
            None => Err(KitError::Start {
                server: NAME.into(),
                why: "it is stopped".into(),
                log: self.log(),
            }),
        }
    }

    /// A URL of its HTTP port.
    pub fn http_url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.http)
    }

    /// Its HTTP port.
    pub fn http_port(&self) -> u16 {
        self.http
    }

    /// The certificate that it serves.
    pub async fn certificate(&self) -> Result<String, KitError> {
        let answer = http()?.get(self.http_url("/v1/cert.pem")).send().await?;
        Ok(answer.error_for_status()?.text().await?)
    }

    /// Seals for the certificate that it serves.
    pub async fn sealer(&self) -> Result<Sealer, KitError> {
        Sealer::new(&self.certificate().await?)
    }

    /// Answers of its HTTP port: status and body.
    pub async fn get(&self, path: &str) -> Result<(u16, String), KitError> {
        let answer = http()?.get(self.http_url(path)).send().await?;
        Ok((answer.status().as_u16(), answer.text().await?))
    }

    /// Answers of its HTTP port to a body: status and body.
    pub async fn post(
        &self,
        path: &str,
        body: impl Into<reqwest::Body>,
    ) -> Result<(u16, String), KitError> {
        let answer = http()?.post(self.http_url(path)).body(body).send().await?;
        Ok((answer.status().as_u16(), answer.text().await?))
    }

    /// The text of its metrics.
    pub async fn metrics_text(&self) -> Result<String, KitError> {
        let url = format!("http://127.0.0.1:{}/metrics", self.metrics);
        Ok(http()?
            .get(url)
            .send()
            .await?
            .error_for_status()?
            .text()
            .await?)
    }

    /// Its metrics.
    pub async fn metrics(&self) -> Result<Metrics, KitError> {
        Ok(Metrics::parse(&self.metrics_text().await?))
    }

    /// Waits until a metric satisfies `is`.
    ///
    /// # Panics
    /// When it does not.
    pub async fn expect_metric(
        &self,
        name: &str,
        labels: &[(&str, &str)],
        is: impl Fn(f64) -> bool,
    ) -> f64 {
        let probe = async || {
            self.metrics()
                .await
                .ok()?
                .get(name, labels)
                .filter(|value| is(*value))
        };
        match wait_for(PATIENCE, probe).await {
            Some(value) => value,
            None => panic!(
                "waited for metric {name}{labels:?}, last scrape:\n{}",
                self.metrics_text().await.unwrap_or_default()
            ),
        }
    }

    /// Its process id; zero when it is stopped.
    pub fn pid(&self) -> i32 {
        self.process.as_ref().map_or(0, Process::pid)
    }

    /// Memory and processor time used so far.
    pub fn usage(&self) -> Usage {
        self.process
            .as_ref()
            .map(|process| usage::of(process.pid()))
            .unwrap_or_default()
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) -> Result<(), KitError> {
        self.process
            .as_ref()
            .map_or(Ok(()), |process| process.signal(signal))
    }

    /// Asks for a new key, as `kill -USR1` does.
    pub fn request_key(&self) -> Result<(), KitError> {
        self.signal(Signal::USR1)
    }

    /// Asks for a new key that will be the newest: the order of keys counts seconds.
    pub async fn request_newer_key(&self) -> Result<(), KitError> {
        let newest = self.sealer().await?.certificate().not_before();
        let due = newest + SignedDuration::from_millis(1050);
        let wait = Timestamp::now().duration_until(due);
        // What is negative is past: no wait.
        tokio::time::sleep(wait.try_into().unwrap_or_default()).await;
        self.request_key()
    }

    /// Kills it as the kernel does when memory is short.
    pub fn kill(&mut self) {
        if let Some(process) = self.process.take() {
            process.kill();
        }
    }

    /// Asks it to end, and returns its exit code.
    pub fn stop(&mut self) -> Option<i32> {
        self.process.take()?.stop(Duration::from_secs(15))?.code()
    }

    /// How it ended, if it has by itself.
    pub fn exited(&mut self) -> Option<std::process::ExitStatus> {
        self.process.as_mut()?.exited()
    }

    /// Starts it again with the same arguments, without waiting for it.
    pub fn launch_again(&mut self) -> Result<(), KitError> {
        self.kill();
        self.process = Some(Process::spawn(&self.launch, &self.log)?);
        Ok(())
    }

    /// Starts it again with the same arguments and waits until it is ready.
    pub async fn restart(&mut self) -> Result<(), KitError> {
        self.launch_again()?;
        self.wait_ready().await
    }

    /// All that it has printed, over restarts.
    pub fn log(&self) -> String {
        std::fs::read(&self.log)
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .unwrap_or_default()
    }
}

fn http() -> Result<reqwest::Client, KitError> {
    Ok(reqwest::Client::builder()
        .no_proxy()
        .timeout(Duration::from_mins(1))
        .build()?)
}
