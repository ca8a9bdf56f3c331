//! moto: KMS, STS and S3 of AWS, in one process.

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

    /// Makes a bucket.
    pub async fn create_bucket(&self, name: &str) -> Result<(), KitError> {
        let request = self.http.put(format!("{}/{name}", self.url));
        let request = request.header("Authorization", scope("us-east-1", "s3"));
        request.send().await?.error_for_status()?;
        Ok(())
    }

    /// The bytes of an object, if it is there.
    pub async fn object(&self, bucket: &str, key: &str) -> Result<Option<Vec<u8>>, KitError> {
        let request = self.http.get(format!("{}/{bucket}/{key}", self.url));
        let request = request.header("Authorization", scope("us-east-1", "s3"));
        let answer = request.send().await?;
        if answer.status() == reqwest::StatusCode::NOT_FOUND {
            return Ok(None);
        }
        Ok(Some(answer.error_for_status()?.bytes().await?.to_vec()))
    }

    /// From now on signatures are checked, and only this user is known: its key, and the secret of it.
    pub async fn check_signatures(&self) -> Result<(String, String), KitError> {
        let policy = json!({
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}],
        });
        self.iam(&[("Action", "CreateUser")]).await?;
        let put = [
            ("Action", "PutUserPolicy"),
            ("PolicyName", "all"),
            ("PolicyDocument", &policy.to_string()),
        ];
        self.iam(&put).await?;
        let made = self.iam(&[("Action", "CreateAccessKey")]).await?;
        let element = |name: &str| {
            let (_, rest) = made.split_once(&format!("<{name}>")).unwrap_or_default();
            rest.split('<').next().unwrap_or_default().to_owned()
        };
        let request = self.http.post(format!("{}/moto-api/reset-auth", self.url));
        let request = request.header("Content-Type", "text/plain").body("0");
        request.send().await?.error_for_status()?;
        Ok((element("AccessKeyId"), element("SecretAccessKey")))
    }

    async fn iam(&self, fields: &[(&str, &str)]) -> Result<String, KitError> {
        let mut url =
            reqwest::Url::parse(&self.url).map_err(|_| KitError::Seal("no URL".into()))?;
        url.query_pairs_mut()
            .extend_pairs(fields)
            .append_pair("Version", "2010-05-08")
            .append_pair("UserName", "kit");
        let request = self.http.post(url);
        let request = request.header("Authorization", scope("us-east-1", "iam"));
        Ok(request.send().await?.error_for_status()?.text().await?)
    }

    async fn kms(&self, region: &str, action: &str, body: &Value) -> Result<Value, KitError> {
        let request = self.http.post(&self.url);
        let answer = request
            .header("X-Amz-Target", format!("TrentService.{action}"))
            .header("Authorization", scope(region, "kms"))
            .header("Content-Type", "application/x-amz-json-1.1")
            .body(body.to_string())
            .send()
            .await?;
        let text = answer.error_for_status()?.text().await?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }
}

/// moto finds the service and the region in what would be the signature.
fn scope(region: &str, service: &str) -> String {
    let scope = format!("Credential=kit/20260101/{region}/{service}/aws4_request");
    format!("AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=0")
}
