//! Stores of Vault.

use std::{sync::Arc, time::Duration};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use signet_crds::external::store::vault::{
    VaultAuth, VaultJwtAuth, VaultKubernetesAuth, VaultKvVersion, VaultProvider,
};
use signet_keys::Plaintext;
use signet_providers::{
    Environment, Policy,
    store::SecretStore,
    vault::store::{Auth, ClientCertificate, KvVersion, Settings, Token, VaultStore},
};

use super::{BuildError, Resolver};

/// How long a token of a ServiceAccount is to be good for: it is used at once.
const TOKEN_LIFETIME: Duration = Duration::from_mins(10);
/// Audience of such a token where none is said.
const AUDIENCE: &str = "vault";

pub(super) async fn store(
    vault: &VaultProvider,
    resolver: &mut Resolver,
    environment: &Environment,
    policy: &Policy,
) -> Result<Arc<dyn SecretStore>, BuildError> {
    let (auth, login_identity) = match &vault.auth {
        Some(auth) => self::auth(auth, resolver).await?,
        None => (Auth::Nobody, None),
    };
    let settings = Settings {
        server: vault.server.clone(),
        mount: vault.path.clone(),
        version: match vault.version {
            VaultKvVersion::V1 => KvVersion::V1,
            VaultKvVersion::V2 => KvVersion::V2,
        },
        namespace: vault.namespace.clone(),
        auth,
        auth_namespace: vault.auth.as_ref().and_then(|auth| auth.namespace.clone()),
        authorities: authorities(vault, resolver).await?,
        identity: match login_identity {
            Some(identity) => Some(identity),
            None => identity(vault, resolver).await?,
        },
        headers: headers(vault),
        check_and_set: vault.check_and_set.as_ref().is_some_and(|cas| cas.required),
    };
    Ok(Arc::new(VaultStore::new(settings, environment, policy)?))
}

fn headers(vault: &VaultProvider) -> Vec<(String, String)> {
    let mut headers: Vec<_> = vault
        .headers
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if vault.forward_inconsistent {
        headers.push(("X-Vault-Inconsistent".into(), "forward-active-node".into()));
    }
    headers
}

async fn authorities(
    vault: &VaultProvider,
    resolver: &mut Resolver,
) -> Result<Option<Vec<u8>>, BuildError> {
    if let Some(bundle) = &vault.ca_bundle {
        // In base64, as a field of bytes is; some write the PEM itself.
        let bytes = BASE64_STANDARD.decode(bundle.trim());
        return Ok(Some(bytes.unwrap_or_else(|_| bundle.clone().into_bytes())));
    }
    match &vault.ca_provider {
        Some(from) => resolver.authorities(from).await.map(Some),
        None => Ok(None),
    }
}

async fn identity(
    vault: &VaultProvider,
    resolver: &mut Resolver,
) -> Result<Option<ClientCertificate>, BuildError> {
    let tls = &vault.tls;
    let (Some(certificate), Some(key)) = (&tls.cert_secret_ref, &tls.key_secret_ref) else {
        return Ok(None);
    };
    Ok(Some(ClientCertificate {
        certificate: resolver
            .secret(certificate, Some("tls.crt"))
            .await?
            .expose()
            .to_vec(),
        key: resolver.secret(key, Some("tls.key")).await?,
    }))
}

/// Who logs in, and with which certificate where that is the method. Of several methods the first in the
/// peer's order counts.
async fn auth(
    auth: &VaultAuth,
    resolver: &mut Resolver,
) -> Result<(Auth, Option<ClientCertificate>), BuildError> {
    let secret = |text: &str| Plaintext::new(text.as_bytes().to_vec());
    if let Some(token) = &auth.token_secret_ref {
        let token = resolver.text(token, Some("token")).await?;
        return Ok((Auth::Token(secret(&token)), None));
    }
    if let Some(role) = &auth.app_role {
        let role_id = match (&role.role_id, &role.role_ref) {
            (Some(id), _) => id.clone(),
            (None, Some(from)) => resolver.text(from, None).await?.to_string(),
            (None, None) => {
                return Err(BuildError::Invalid(
                    "appRole has neither roleId nor roleRef".into(),
                ));
            }
        };
        let secret_id = resolver.text(&role.secret_ref, None).await?;
        let auth = Auth::AppRole {
            mount: mount(role.path.as_ref(), "approle"),
            role_id,
            secret_id: secret(&secret_id),
        };
        return Ok((auth, None));
    }
    if let Some(kubernetes) = &auth.kubernetes {
        return Ok((self::kubernetes(kubernetes, resolver).await?, None));
    }
    if let Some(ldap) = &auth.ldap {
        let password = resolver.text(&ldap.secret_ref, None).await?;
        let auth = Auth::Password {
            mount: mount(ldap.path.as_ref(), "ldap"),
            user: ldap.username.trim().to_owned(),
            password: secret(&password),
        };
        return Ok((auth, None));
    }
    if let Some(user) = &auth.user_pass {
        let password = resolver.text(&user.secret_ref, None).await?;
        let auth = Auth::Password {
            mount: mount(user.path.as_ref(), "userpass"),
            user: user.username.trim().to_owned(),
            password: secret(&password),
        };
        return Ok((auth, None));
    }
    if let Some(jwt) = &auth.jwt {
        return Ok((self::jwt(jwt, resolver).await?, None));
    }
    if let Some(cert) = &auth.cert {
        let identity = ClientCertificate {
            certificate: resolver
                .secret(&cert.client_cert, Some("tls.crt"))
                .await?
                .expose()
                .to_vec(),
            key: resolver.secret(&cert.secret_ref, Some("tls.key")).await?,
        };
        let auth = Auth::Certificate {
            mount: mount(cert.path.as_ref(), "cert"),
            role: cert.vault_role.clone(),
        };
        return Ok((auth, Some(identity)));
    }
    if auth.iam.is_some() || auth.gcp.is_some() {
        return Err(BuildError::Invalid(
            "this version cannot log in to Vault by iam or gcp; use another method of `auth`"
                .into(),
        ));
    }
    Ok((Auth::Nobody, None))
}

async fn kubernetes(
    auth: &VaultKubernetesAuth,
    resolver: &mut Resolver,
) -> Result<Auth, BuildError> {
    let token = match (&auth.service_account_ref, &auth.secret_ref) {
        (Some(account), _) => Token::Source {
            audiences: account.audiences.clone(),
            source: Arc::new(resolver.tokens(account)),
            lifetime: TOKEN_LIFETIME,
        },
        (None, Some(from)) => {
            let token = resolver.text(from, Some("token")).await?;
            Token::Value(Plaintext::new(token.as_bytes().to_vec()))
        }
        // A store that anybody may write must not log in as the controller.
        (None, None) => {
            return Err(BuildError::Invalid(
                "kubernetes has neither serviceAccountRef nor secretRef; the controller's own ServiceAccount is not lent to stores"
                    .into(),
            ));
        }
    };
    Ok(Auth::Jwt {
        mount: mount(auth.mount_path.as_ref(), "kubernetes"),
        role: Some(auth.role.clone()),
        token,
    })
}

async fn jwt(auth: &VaultJwtAuth, resolver: &mut Resolver) -> Result<Auth, BuildError> {
    let token = match (&auth.secret_ref, &auth.kubernetes_service_account_token) {
        (Some(from), _) => {
            let token = resolver.text(from, Some("jwt")).await?;
            Token::Value(Plaintext::new(token.as_bytes().to_vec()))
        }
        (None, Some(from)) => {
            let account = &from.service_account_ref;
            let mut audiences = from
                .audiences
                .clone()
                .unwrap_or_else(|| vec![AUDIENCE.into()]);
            audiences.extend(account.audiences.iter().cloned());
            let seconds = from
                .expiration_seconds
                .and_then(|seconds| u64::try_from(seconds).ok());
            Token::Source {
                audiences,
                source: Arc::new(resolver.tokens(account)),
                lifetime: seconds.map_or(TOKEN_LIFETIME, Duration::from_secs),
            }
        }
        (None, None) => {
            return Err(BuildError::Invalid(
                "jwt has neither secretRef nor kubernetesServiceAccountToken".into(),
            ));
        }
    };
    Ok(Auth::Jwt {
        mount: mount(auth.path.as_ref(), "jwt"),
        role: auth.role.clone(),
        token,
    })
}

fn mount(path: Option<&String>, default: &str) -> String {
    path.map_or_else(|| default.to_owned(), Clone::clone)
}
