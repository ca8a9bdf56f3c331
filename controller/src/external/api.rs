//! Writing a status.

use std::fmt::Debug;

use kube::{
    Client, Resource, ResourceExt,
    api::{Patch, PatchParams},
    core::Request,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use crate::{
    api::{ApiError, ask},
    client::FIELD_MANAGER,
};

/// Writes the status of an object, if it is still at the version that is known.
pub(super) async fn write_status<K>(
    client: &Client,
    object: &K,
    status: &impl Serialize,
) -> Result<K, ApiError>
where
    K: Resource<DynamicType = ()> + DeserializeOwned + Clone + Debug,
{
    let body = json!({
        "metadata": { "resourceVersion": object.meta().resource_version },
        "status": status,
    });
    let params = PatchParams {
        field_manager: Some(FIELD_MANAGER.into()),
        ..PatchParams::default()
    };
    let url = K::url_path(&(), object.meta().namespace.as_deref());
    let request = Request::new(url).patch_subresource(
        "status",
        &object.name_any(),
        &params,
        &Patch::Merge(&body),
    );
    let request = request.map_err(|_| ApiError::Unreadable)?;
    ask(client.request(request)).await
}
