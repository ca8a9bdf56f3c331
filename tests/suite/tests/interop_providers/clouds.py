"""The clouds' own clients: clouds.py CLOUD URL KEY CREDENTIALS encrypt|decrypt TEXT"""
import base64
import json
import os
import sys

cloud, url, name, credentials, verb, text = sys.argv[1:]


def azure():
    from azure.identity import ClientSecretCredential
    from azure.keyvault.keys import KeyClient
    from azure.keyvault.keys._generated.models import KeyOperationsParameters

    credential = ClientSecretCredential(
        os.environ["AZURE_TENANT_ID"],
        os.environ["AZURE_CLIENT_ID"],
        os.environ["AZURE_CLIENT_SECRET"],
        authority=url,
        disable_instance_discovery=True,
    )
    # The resource that the vault names is the vault itself, not a domain above it.
    client = KeyClient(url, credential, verify_challenge_resource=False)
    version = client.get_key(name).properties.version
    value = text.encode() if verb == "encrypt" else base64.urlsafe_b64decode(text + "==")
    parameters = KeyOperationsParameters(algorithm="RSA-OAEP-256", value=value)
    result = getattr(client._client, verb)(name, version, parameters).result
    return base64.urlsafe_b64encode(result).decode().rstrip("=") if verb == "encrypt" else result.decode()


def gcp():
    from google.cloud import kms
    from google.oauth2 import credentials as user, service_account

    info = json.load(open(credentials))
    if info["type"] == "service_account":
        credential = service_account.Credentials.from_service_account_info(info)
    else:
        # `from_authorized_user_info` goes to Google's own token server, whatever the file says.
        names = ["refresh_token", "token_uri", "client_id", "client_secret"]
        credential = user.Credentials(None, **{name: info[name] for name in names})
    client = kms.KeyManagementServiceClient(
        credentials=credential, transport="rest", client_options={"api_endpoint": url}
    )
    if verb == "encrypt":
        answer = client.encrypt(request={"name": name, "plaintext": text.encode()})
        return base64.b64encode(answer.ciphertext).decode()
    answer = client.decrypt(request={"name": name, "ciphertext": base64.b64decode(text)})
    return answer.plaintext.decode()


print({"azure": azure, "gcp": gcp}[cloud]())
