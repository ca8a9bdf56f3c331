//! moto: KMS and STS of AWS, in one process.

use std::time::Duration;

use serde_json::{Value, json};

use crate::error::KitError;
use crate::port;
use crate::process::{Launch, Process};
use crate::tools::tools;
use crate::wait::wait_for;
use crate::workdir::Workdir;

/// The account that everything in it belongs to.
pub const ACCOUNT: &str = "123456789012";

const ATTEMPTS: u32 = 5;

/// A running server. It takes any credentials.
#[derive(Debug)]
pub struct Moto {
    url: String,
    http: reqwest::Client,
    _workdir: Workdir,
    _process: Process,
}

impl Moto {
    /// Starts a server on a free port.
    pub async fn start() -> Result<Self, KitError> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            match Self::try_start().await {
                Err(_) if attempt < ATTEMPTS => {}
                other => return other,
            }
        }
    }

    async fn try_start() -> Result<Self, KitError> {
        let workdir = Workdir::create()?;
        let port = port::free().map_err(KitError::io("bind", "127.0.0.1"))?;
        let launch = Launch::new("moto", tools().path("moto_server")).args([
            "-H",
            "127.0.0.1",
            "-p",
            &port.to_string(),
        ]);
        let mut process = Process::spawn(&launch, &workdir.path().join("moto.log"))?;
        let url = format!("http://127.0.0.1:{port}");
        let http = reqwest::Client::new();
        let probe = format!("{url}/moto-api/data.json");
        let ready = wait_for(Duration::from_mins(1), async || {
            let ended = process.exited().is_some();
            let answer = http.get(&probe).send().await;
            let is_ready = answer.is_ok_and(|answer| answer.status().is_success());
            (ended || is_ready).then_some(is_ready)
        });
        if ready.await != Some(true) {
            return Err(process.not_ready("no answer"));
        }
        Ok(Self {
            url,
            http,
            _workdir: workdir,
            _process: process,
        })
    }

    /// Scheme, host and port: the value of `AWS_ENDPOINT_URL`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Makes a symmetric key in a region, and gives its ARN.
    pub async fn create_key(&self, region: &str) -> Result<String, KitError> {
        let answer = self.kms(region, "CreateKey", &json!({})).await?;
        Ok(answer["KeyMetadata"]["Arn"]
            .as_str()
            .unwrap_or_default()
            .to_owned())
    }

    /// Gives a key a name.
    pub async fn create_alias(&self, region: &str, name: &str, key: &str) -> Result<(), KitError> {
        let body = json!({"AliasName": format!("alias/{name}"), "TargetKeyId": key});
        self.kms(region, "CreateAlias", &body).await.map(|_| ())
    }

    async fn kms(&self, region: &str, action: &str, body: &Value) -> Result<Value, KitError> {
        // moto finds the service and the region in what would be the signature.
        let scope = format!("Credential=kit/20260101/{region}/kms/aws4_request");
        let request = self.http.post(&self.url);
        let answer = request
            .header("X-Amz-Target", format!("TrentService.{action}"))
            .header(
                "Authorization",
                format!("AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=0"),
            )
            .header("Content-Type", "application/x-amz-json-1.1")
            .body(body.to_string())
            .send()
            .await?;
        let text = answer.error_for_status()?.text().await?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }
}
