"""An API as an OpenAPI document, of which MiniStack 1.4.21 reads only paths with plain methods:

- the import of what infra/stack/api-body.ts writes, which replaces what the API was: ANY, credentials, authorizers, answers of mocks,
  gateway responses (docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html);
- an update of the API's document, which here would make another API;
- gateway responses in the answers: MiniStack keeps them and words its own.

What a document can't say, API Gateway ignores. Here it is refused, since it would be lost.
"""

import json
import re
import uuid

from ministack.services import apigateway_v1 as gateway
from ministack.services.cloudformation import provisioners

INTEGRATION = "x-amazon-apigateway-integration"
ANY = "x-amazon-apigateway-any-method"
VERBS = {"get", "post", "put", "delete", "patch", "head", "options", ANY}
KNOWN = {
    "document": {"openapi", "info", "paths", "components", "x-amazon-apigateway-binary-media-types", "x-amazon-apigateway-gateway-responses"},
    "operation": {"security", "parameters", "responses", INTEGRATION},
    "integration": {
        "type", "httpMethod", "uri", "timeoutInMillis", "responseTransferMode", "requestTemplates", "contentHandling",
        "credentials", "responses",
    },
}


def refuse_unknown(kind, given):
    unknown = sorted({*given} - KNOWN[kind])
    if unknown:
        raise ValueError(f"The import has no place for {unknown} in the {kind}")


def create_api(logical_id, props, stack_name):
    api_id, attributes = provisioners._apigw_rest_api_create(logical_id, {**props, "Body": None}, stack_name)
    put_api(api_id, props)
    return api_id, attributes


def update_api(api_id, old_props, props, stack_name):
    put_api(api_id, props)
    root = root_of(api_id)
    return api_id, {"RootResourceId": root["id"]}


def root_of(api_id):
    return next(resource for resource in gateway._resources[api_id].values() if resource["path"] == "/")


def put_api(api_id, props):
    document = props.get("Body")
    if document is None:
        return
    refuse_unknown("document", document)
    if props.get("Mode") != "overwrite":
        raise ValueError("Only an import that overwrites is known here")
    root = root_of(api_id)
    gateway._resources[api_id] = {root["id"]: {**root, "resourceMethods": {}}}
    schemes = document.get("components", {}).get("securitySchemes", {})
    gateway._authorizers_v1[api_id] = {}
    authorizers = {name: import_authorizer(api_id, name, scheme) for name, scheme in schemes.items()}
    gateway._gateway_responses[api_id] = {}
    for kind, response in document.get("x-amazon-apigateway-gateway-responses", {}).items():
        refuse_failure(gateway._put_gateway_response(api_id, kind, response))
    for path, operations in document["paths"].items():
        resource_id = import_path(api_id, root["id"], path)
        for verb, operation in operations.items():
            import_operation(api_id, resource_id, verb, operation, authorizers)


def refuse_failure(answer):
    status, _, body = answer
    if status >= 400:
        raise ValueError(json.loads(body)["message"])
    return json.loads(body)


def import_authorizer(api_id, name, scheme):
    own = scheme["x-amazon-apigateway-authorizer"]
    made = gateway._create_authorizer(api_id, {**own, "name": name, "type": own["type"].upper()})
    return refuse_failure(made)["id"]


def import_path(api_id, resource_id, path):
    for part in path.strip("/").split("/"):
        siblings = [own for own in gateway._resources[api_id].values() if own["parentId"] == resource_id]
        same = [own for own in siblings if own["pathPart"] == part]
        other = [own["pathPart"] for own in siblings if own["pathPart"].startswith("{") and part.startswith("{")]
        if not same and other:
            raise ValueError(f"A sibling ({other[0]}) of this resource already has a variable path part -- only one is allowed")
        own = same[0] if same else refuse_failure(gateway._create_resource(api_id, resource_id, {"pathPart": part}))
        resource_id = own["id"]
    return resource_id


def import_operation(api_id, resource_id, verb, operation, authorizers):
    if verb not in VERBS:
        raise ValueError(f"{verb} is not a method")
    refuse_unknown("operation", operation)
    integration = operation[INTEGRATION]
    refuse_unknown("integration", integration)
    method = "ANY" if verb == ANY else verb.upper()
    names = [name for requirement in operation.get("security", []) for name in requirement]
    authorizer = {"authorizationType": "CUSTOM", "authorizerId": authorizers[names[0]]} if names else {}
    refuse_failure(gateway._put_method(api_id, resource_id, method, authorizer))
    data = {**integration, "type": integration["type"].upper(), "responses": None}
    made = gateway._put_integration(api_id, resource_id, method, data)
    refuse_failure(made)
    kept = gateway._resources[api_id][resource_id]["resourceMethods"][method]["methodIntegration"]
    kept["responseTransferMode"] = integration.get("responseTransferMode", "BUFFERED")
    for response in integration.get("responses", {}).values():
        gateway._put_integration_response(api_id, resource_id, method, response["statusCode"], response)


# --- What API Gateway answers itself ---

TYPES = {401: "UNAUTHORIZED", 403: "ACCESS_DENIED", 500: "AUTHORIZER_FAILURE"}


class Refusal(tuple):
    """An answer that API Gateway makes, not a function."""


def refusal(status, message):
    return Refusal((status, message))


def deny_error(explicit):
    return Refusal((403, "User is not authorized to access this resource" + (" with an explicit deny" if explicit else "")))


def worded(api_id, answer):
    """The answer as the API's gateway response of its type words it."""
    if not isinstance(answer, Refusal):
        return answer
    status, message = answer
    kind = "MISSING_AUTHENTICATION_TOKEN" if message == "Missing Authentication Token" else TYPES[status]
    own = gateway._gateway_responses[api_id].get(kind) or gateway._default_gateway_response(kind)
    values = {"context.requestId": str(uuid.uuid4())}
    headers = {"Content-Type": "application/json"}
    for name, value in own["responseParameters"].items():
        headers[name.removeprefix("gatewayresponse.header.")] = values.get(value) or re.fullmatch("'(.*)'", value)[1]
    text = own["responseTemplates"]["application/json"].replace("$context.error.messageString", json.dumps(message))
    return int(own.get("statusCode") or status), headers, text.encode()


execute = gateway._handle_execute_in_scope


async def execute_and_word(api_id, *rest):
    return worded(api_id, await execute(api_id, *rest))


gateway._gw_error = refusal
gateway._deny_error = deny_error
gateway._handle_execute_in_scope = execute_and_word
provisioners._RESOURCE_HANDLERS["AWS::ApiGateway::RestApi"] = {
    "create": create_api,
    "update": update_api,
    "delete": provisioners._apigw_rest_api_delete,
}
