import uuid

import schemathesis


@schemathesis.hook
def map_headers(context, headers):
    """A key of its own for every call: the replay of an answer about something deleted since is no finding."""
    if headers and "Idempotency-Key" in headers:
        headers["Idempotency-Key"] = f"{headers['Idempotency-Key']}{uuid.uuid4()}"
    return headers


@schemathesis.hook
def before_call(context, case, kwargs):
    """Every client of the Model Context Protocol says that it takes both; OpenAPI cannot ask for that header."""
    if case.operation.path == "/api/mcp":
        case.headers = {**(case.headers or {}), "Accept": "application/json, text/event-stream"}
