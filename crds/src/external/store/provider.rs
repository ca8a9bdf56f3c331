//! The kinds of stores.

use super::aws::AwsProvider;
use super::azure::AzureKvProvider;
use super::fake::FakeProvider;
use super::gcp::GcpSmProvider;
use super::kubernetes::KubernetesProvider;
use super::openbao::OpenBaoProvider;
use super::vault::VaultProvider;
use super::webhook::WebhookProvider;
use crate::external::one_of::one_of;

one_of! {
    /// The kind of a store and its settings.
    pub enum Provider {
        /// HashiCorp Vault.
        Vault(VaultProvider) = "vault",
        /// OpenBao.
        OpenBao(OpenBaoProvider) = "openBao",
        /// AWS Secrets Manager or Parameter Store.
        Aws(AwsProvider) = "aws",
        /// Azure Key Vault.
        AzureKv(AzureKvProvider) = "azurekv",
        /// Google Secret Manager.
        GcpSm(GcpSmProvider) = "gcpsm",
        /// Secrets of this or another cluster.
        Kubernetes(KubernetesProvider) = "kubernetes",
        /// Any HTTP server.
        Webhook(WebhookProvider) = "webhook",
        /// Values that stand in the store itself.
        Fake(FakeProvider) = "fake",
    }
    kept: UNSUPPORTED
}

/// Providers of installed clusters that are not served here, those of `v1beta1` included.
pub const UNSUPPORTED: &[&str] = &[
    "akeyless",
    "alibaba",
    "barbican",
    "beyondtrust",
    "beyondtrustworkloadcredentials",
    "bitwardensecretsmanager",
    "chef",
    "cloudrusm",
    "conjur",
    "crd",
    "delinea",
    "device42",
    "doppler",
    "dvls",
    "fortanix",
    "github",
    "gitlab",
    "ibm",
    "infisical",
    "keepersecurity",
    "nebiusmysterybox",
    "ngrok",
    "onboardbase",
    "onepassword",
    "onepasswordSDK",
    "oracle",
    "ovh",
    "passbolt",
    "passworddepot",
    "previder",
    "pulumi",
    "scaleway",
    "secretserver",
    "senhasegura",
    "volcengine",
    "yandexcertificatemanager",
    "yandexlockbox",
];
