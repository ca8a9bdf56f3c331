//! Who we are for AWS.

use aws_config::profile::{ProfileFileCredentialsProvider, ProfileFileRegionProvider};
use aws_config::provider_config::ProviderConfig;
use aws_config::sts::AssumeRoleProvider;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_runtime::env_config::file::{EnvConfigFileKind, EnvConfigFiles};
use aws_sdk_kms::config::{Credentials, SharedCredentialsProvider};

use crate::Environment;

/// The longest name of a session that STS takes.
const LONGEST: usize = 64;

/// Who we are in a region, as a profile that somebody names, or else as the environment says; nothing if
/// it gives no credentials.
pub(super) async fn config(
    environment: &Environment,
    region: &str,
    profile: Option<&str>,
) -> Option<SdkConfig> {
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .region(Region::new(region.to_owned()))
        .profile_files(profile_files(environment));
    if let Some(url) = environment.var("AWS_ENDPOINT_URL") {
        loader = loader.endpoint_url(url);
    }
    // A profile that is named is meant, whatever the variables say.
    let keys = access_keys(environment).filter(|_| profile.is_none());
    loader = match (keys, profile.or(environment.var("AWS_PROFILE"))) {
        (Some(keys), _) => loader.credentials_provider(keys),
        (None, Some(name)) => loader
            .profile_name(name)
            .credentials_provider(self::profile(environment, region, name)),
        (None, None) if environment.is_of_process() => loader,
        (None, None) => return None,
    };
    Some(loader.load().await)
}

/// The region that the environment says, for services whose addresses are not ARNs.
pub(super) async fn region(environment: &Environment) -> Option<String> {
    let variables = ["AWS_REGION", "AWS_DEFAULT_REGION"];
    if let Some(region) = variables.iter().find_map(|name| environment.var(name)) {
        return Some(region.to_owned());
    }
    let profile = environment.var("AWS_PROFILE").unwrap_or("default");
    let provider = ProfileFileRegionProvider::builder()
        .profile_files(profile_files(environment))
        .profile_name(profile)
        .build();
    let region = aws_config::meta::region::ProvideRegion::region(&provider).await;
    region.map(|region| region.to_string())
}

/// Keys in variables.
fn access_keys(environment: &Environment) -> Option<Credentials> {
    let id = environment.var("AWS_ACCESS_KEY_ID")?;
    let secret = environment.var("AWS_SECRET_ACCESS_KEY")?;
    let token = environment.var("AWS_SESSION_TOKEN").map(str::to_owned);
    Some(Credentials::new(id, secret, token, None, "environment"))
}

/// The two files of profiles: where variables say, or in the home folder.
fn profile_files(environment: &Environment) -> EnvConfigFiles {
    // The SDK wants one at least.
    let mut files = EnvConfigFiles::builder().with_contents(EnvConfigFileKind::Config, "");
    for (variable, name, kind) in [
        ("AWS_CONFIG_FILE", "config", EnvConfigFileKind::Config),
        (
            "AWS_SHARED_CREDENTIALS_FILE",
            "credentials",
            EnvConfigFileKind::Credentials,
        ),
    ] {
        let usual = || Some(environment.home()?.join(".aws").join(name));
        let path = environment.path(variable).or_else(usual);
        if let Some(path) = path.filter(|path| path.is_file()) {
            files = files.with_file(kind, path);
        }
    }
    files.build()
}

/// What a profile gives: keys, a role, single sign-on, a process.
fn profile(environment: &Environment, region: &str, name: &str) -> ProfileFileCredentialsProvider {
    let region = Some(Region::new(region.to_owned()));
    ProfileFileCredentialsProvider::builder()
        .configure(&ProviderConfig::without_region().with_region(region))
        .profile_files(profile_files(environment))
        .profile_name(name)
        .build()
}

/// The same, in a role. It is assumed when it is first needed, and again when its time is over.
pub(super) async fn assume(config: &SdkConfig, role: &str) -> SdkConfig {
    let provider = AssumeRoleProvider::builder(role)
        .session_name(session_name(&host_name()))
        .configure(config)
        .build()
        .await;
    let provider = SharedCredentialsProvider::new(provider);
    config.to_builder().credentials_provider(provider).build()
}

/// `sops@HOST`, which trust policies may ask for, of the characters that STS takes.
fn session_name(host: &str) -> String {
    let allowed = |char: &char| char.is_ascii_alphanumeric() || "=,.@-".contains(*char);
    "sops@"
        .chars()
        .chain(host.chars().filter(allowed))
        .take(LONGEST)
        .collect()
}

#[cfg(unix)]
fn host_name() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

#[cfg(not(unix))]
fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_named_as_the_peer_names_it() {
        assert_eq!(session_name("build-7.example"), "sops@build-7.example");
        assert_eq!(session_name("wörk_station (2)"), "sops@wrkstation2");
        assert_eq!(session_name(&"x".repeat(100)).len(), LONGEST);
    }
}
