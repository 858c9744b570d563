import os
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
    """What a schema cannot ask for, and every client does."""
    if case.operation.path == "/api/mcp":
        case.headers = {**(case.headers or {}), "Accept": "application/json, text/event-stream"}
    removes = case.operation.path == "/api/workspaces/{workspaceId}" and case.method == "DELETE"
    # Version 4.32.5 takes its own multipart cases for broken: they go on to no workspace.
    uploads = case.operation.path == "/api/files/upload"
    for part in () if removes or uploads else (case.path_parameters, case.query, case.body):
        name_workspace(part)


def name_workspace(part):
    """A workspace that is there for any that might be: what is invalid stays so."""
    if isinstance(part, dict) and is_id(part.get("workspaceId")):
        part["workspaceId"] = os.environ["FUZZ_WORKSPACE"]


def is_id(value):
    try:
        return isinstance(value, str) and str(uuid.UUID(value)) == value.lower()
    except ValueError:
        return False
