//! A folder, the variables of its user, and both programs in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use signet_keys::sops::master_key::DecryptionOrder;
use signet_keys::sops::{Cipher, DataKey, Kind, LastModified, Mac, MasterKey, Value, WrappedKey};
use signet_providers::{
    Environment, KeyService, Local, Policy, Prompt, RecoverError, block_on, recover, wrap_all,
};

pub const SECRET: &str = "hunter2";

/// What both programs see of the world.
pub struct Session {
    folder: tempfile::TempDir,
    pub environment: Environment,
    variables: Vec<(String, String)>,
    prompt: Arc<dyn Prompt>,
}

impl Session {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().to_str().unwrap().to_owned();
        let session = Self {
            folder,
            environment: Environment::default(),
            variables: Vec::new(),
            prompt: Arc::new(signet_providers::NoPrompt),
        };
        session
            .with("HOME", &home)
            .with("PATH", "/usr/local/bin:/usr/bin:/bin")
    }

    /// Sets a variable for both.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment = self.environment.with(name, value);
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn with_prompt(mut self, prompt: impl Prompt + 'static) -> Self {
        self.prompt = Arc::new(prompt);
        self
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Runs a program here: a pinned one if there is one of the name.
    pub fn run(&self, program: &str, args: &[&str]) -> Output {
        let pinned = signet_kit::tools().path(program);
        let program = if pinned.is_file() {
            pinned
        } else {
            program.into()
        };
        Command::new(program)
            .args(args)
            .current_dir(self.path())
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .output()
            .unwrap()
    }

    pub fn output(&self, program: &str, args: &[&str]) -> String {
        let output = self.run(program, args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {args:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn local(&self) -> Local {
        Local::new(&self.environment, Policy::everything(), &self.prompt)
    }

    /// A file that sops encrypts for what its flags name.
    pub fn sops_encrypts(&self, flags: &[&str]) -> Json {
        self.write("plain.json", json!({"password": SECRET}).to_string());
        let args = [&["encrypt"][..], flags, &["plain.json"]].concat();
        serde_json::from_str(&self.output("sops", &args)).unwrap()
    }

    /// What sops makes of a file.
    pub fn sops_decrypts(&self, file: &Json, flags: &[&str]) -> Json {
        self.write("file.json", file.to_string());
        let args = [&["decrypt"][..], flags, &["file.json"]].concat();
        serde_json::from_str(&self.output("sops", &args)).unwrap()
    }

    /// Both ways: sops encrypts by its flags, signet for the same key.
    pub fn goes_both_ways(&self, flags: &[&str], key: &MasterKey) {
        let local = self.local();
        let theirs = self.sops_encrypts(flags);
        assert_eq!(keys(&theirs)[0].key, *key);
        let opened = signet_decrypts(&local, &theirs);
        assert_eq!(opened.unwrap_or_else(|error| panic!("{error:?}")), SECRET);
        let ours = signet_encrypts(&local, std::slice::from_ref(key));
        assert_eq!(self.sops_decrypts(&ours, &[]), json!({"password": SECRET}));
        assert_eq!(signet_decrypts(&local, &ours).unwrap(), SECRET);
    }
}

/// A file that signet's key services wrap the key of.
pub fn signet_encrypts(service: &dyn KeyService, keys: &[MasterKey]) -> Json {
    let key = DataKey::generate().unwrap();
    let now: LastModified = "2026-01-31T12:00:00Z".parse().unwrap();
    let groups = block_on(wrap_all(&[service], &key, &[keys], None, &now));
    let groups = groups.unwrap_or_else(|error| panic!("{error}"));
    let cipher = Cipher::new(&key);
    let value = Value::new(Kind::Str, SECRET.as_bytes().to_vec().into()).unwrap();
    let mut mac = Mac::new();
    mac.add(&value, true);
    let mut metadata = json!({
        "lastmodified": now.as_str(), "mac": mac.seal(&cipher, &now).unwrap(),
        "unencrypted_suffix": "_unencrypted", "version": "3.13.3",
    });
    for wrapped in &groups[0] {
        let list = &mut metadata[wrapped.key.type_name()];
        let entry = entry(wrapped);
        match list.as_array_mut() {
            Some(list) => list.push(entry),
            None => *list = json!([entry]),
        }
    }
    json!({"password": cipher.encrypt(&value, b"password:").unwrap(), "sops": metadata})
}

/// The value in a file, by signet's key services.
pub fn signet_decrypts(service: &dyn KeyService, file: &Json) -> Result<String, RecoverError> {
    let keys = keys(file);
    let order = DecryptionOrder::default();
    let recovered = block_on(recover(&[service], &[&keys], None, &order))?;
    let cipher = Cipher::new(&recovered.data_key);
    let value = cipher.decrypt(file["password"].as_str().unwrap(), b"password:");
    let plaintext = value.unwrap().plaintext().expose().to_vec();
    Ok(String::from_utf8(plaintext).unwrap())
}

/// All entries of a file's metadata.
pub fn keys(file: &Json) -> Vec<WrappedKey> {
    let kinds = ["kms", "gcp_kms", "azure_kv", "hc_vault", "pgp", "age"];
    let entries = kinds.iter().flat_map(|kind| {
        let entries = file["sops"][kind].as_array().into_iter().flatten();
        entries.map(move |entry| wrapped(kind, entry))
    });
    entries.collect()
}

fn wrapped(kind: &str, entry: &Json) -> WrappedKey {
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let some = |name: &str| Some(text(name)).filter(|text| !text.is_empty());
    let context = entry["context"].as_object().cloned().unwrap_or_default();
    let key = match kind {
        "age" => MasterKey::Age {
            recipient: text("recipient"),
        },
        "azure_kv" => MasterKey::AzureKv {
            vault_url: text("vault_url"),
            name: text("name"),
            version: some("version"),
        },
        "gcp_kms" => MasterKey::GcpKms {
            resource_id: text("resource_id"),
        },
        "hc_vault" => MasterKey::HcVault {
            vault_address: text("vault_address"),
            engine_path: text("engine_path"),
            key_name: text("key_name"),
        },
        "kms" => MasterKey::Kms {
            arn: text("arn"),
            role: some("role"),
            context: context
                .iter()
                .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()))
                .collect(),
            aws_profile: some("aws_profile"),
        },
        "pgp" => MasterKey::Pgp {
            fingerprint: text("fp"),
        },
        other => panic!("{other}"),
    };
    WrappedKey {
        key,
        enc: text("enc"),
        created_at: some("created_at"),
    }
}

fn entry(wrapped: &WrappedKey) -> Json {
    let fields = match &wrapped.key {
        MasterKey::Age { recipient } => json!({"recipient": recipient}),
        MasterKey::AzureKv {
            vault_url,
            name,
            version,
        } => {
            json!({"vault_url": vault_url, "name": name, "version": version})
        }
        MasterKey::GcpKms { resource_id } => json!({"resource_id": resource_id}),
        MasterKey::HcKms { key_id } => json!({"key_id": key_id}),
        MasterKey::HcVault {
            vault_address,
            engine_path,
            key_name,
        } => {
            json!({"vault_address": vault_address, "engine_path": engine_path, "key_name": key_name})
        }
        MasterKey::Kms {
            arn,
            role,
            context,
            aws_profile,
        } => json!({
            "arn": arn, "role": role.clone().unwrap_or_default(), "context": context,
            "aws_profile": aws_profile.clone().unwrap_or_default(),
        }),
        MasterKey::Pgp { fingerprint } => json!({"fp": fingerprint}),
    };
    let mut entry: Map<String, Json> = fields.as_object().unwrap().clone();
    entry.insert("enc".into(), wrapped.enc.clone().into());
    if let Some(time) = &wrapped.created_at {
        entry.insert("created_at".into(), time.clone().into());
    }
    Json::Object(entry)
}
