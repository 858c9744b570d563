import uuid

import schemathesis


@schemathesis.hook
def map_headers(context, headers):
    """A key of its own for every call: the replay of an answer about something deleted since is no finding."""
    if headers and "Idempotency-Key" in headers:
        headers["Idempotency-Key"] = f"{headers['Idempotency-Key']}{uuid.uuid4()}"
    return headers
