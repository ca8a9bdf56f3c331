//! Generators of installed clusters that are not served here. They are let in as they are, and their
//! status says that nothing is generated.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, CustomResourceDefinitionNames, CustomResourceDefinitionSpec,
    CustomResourceDefinitionVersion, CustomResourceSubresourceStatus, CustomResourceSubresources,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::json;

use super::GeneratorStatus;
use crate::external::{assemble, constants};

/// Their kinds, each with the name of the resource in addresses.
pub const KINDS: [(&str, &str); 8] = [
    ("ACRAccessToken", "acraccesstokens"),
    (
        "BeyondtrustWorkloadCredentialsDynamicSecret",
        "beyondtrustworkloadcredentialsdynamicsecrets",
    ),
    ("CloudsmithAccessToken", "cloudsmithaccesstokens"),
    ("GCRAccessToken", "gcraccesstokens"),
    ("GithubAccessToken", "githubaccesstokens"),
    ("GitlabDeployToken", "gitlabdeploytokens"),
    ("Grafana", "grafanas"),
    ("QuayAccessToken", "quayaccesstokens"),
];

/// Their CustomResourceDefinitions, as `deploy/crds/` has them.
pub fn crds() -> impl Iterator<Item = CustomResourceDefinition> {
    KINDS.into_iter().map(|(kind, plural)| crd(kind, plural))
}

fn crd(kind: &str, plural: &str) -> CustomResourceDefinition {
    let schema = assemble::opaque::<GeneratorStatus>(
        "A generator of another controller. This one keeps it and generates nothing.",
    );
    let categories = ["external-secrets", "external-secrets-generators"];
    let crd = CustomResourceDefinition {
        metadata: ObjectMeta {
            name: Some(format!("{plural}.{}", constants::GENERATORS_GROUP)),
            ..ObjectMeta::default()
        },
        spec: CustomResourceDefinitionSpec {
            group: constants::GENERATORS_GROUP.to_owned(),
            names: CustomResourceDefinitionNames {
                categories: Some(categories.map(str::to_owned).to_vec()),
                kind: kind.to_owned(),
                plural: plural.to_owned(),
                singular: Some(kind.to_ascii_lowercase()),
                ..CustomResourceDefinitionNames::default()
            },
            scope: "Namespaced".to_owned(),
            versions: vec![CustomResourceDefinitionVersion {
                name: "v1alpha1".to_owned(),
                served: true,
                storage: true,
                subresources: Some(CustomResourceSubresources {
                    status: Some(CustomResourceSubresourceStatus(json!({}))),
                    ..CustomResourceSubresources::default()
                }),
                ..CustomResourceDefinitionVersion::default()
            }],
            ..CustomResourceDefinitionSpec::default()
        },
        ..CustomResourceDefinition::default()
    };
    assemble::complete(crd, &schema, None)
}
