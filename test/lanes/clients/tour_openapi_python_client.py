"""The tour by the client of `openapi-python-client`: each answer of JSON must have become one of its models."""
import enum
import importlib
import inspect
import sys
import typing

from tour import Tour, snake
from workspace_client import Client

url, *files = sys.argv[1:]
tour = Tour(*files)
client = Client(base_url=url, timeout=60)


def fitting(annotation, value):
    """The value as the class that the parameter takes."""
    for kind in [annotation, *typing.get_args(annotation)]:
        if inspect.isclass(kind) and issubclass(kind, enum.Enum):
            return kind(value)
        if hasattr(kind, "from_dict"):
            return kind.from_dict(value)
    return value


def call(step):
    operation = tour.operation(step)
    module = importlib.import_module(f"workspace_client.api.{operation['tags'][0]}.{snake(operation['operationId'])}")
    given = tour.filled({**step.get("params", {}), **({"body": step["body"]} if "body" in step else {})})
    taken = inspect.signature(module.sync_detailed).parameters
    arguments = {snake(key): fitting(taken[snake(key)].annotation, value) for key, value in given.items()}
    answer = module.sync_detailed(client=client, **arguments)
    if answer.status_code >= 400:
        raise RuntimeError(f"{answer.status_code} {answer.content}")
    if answer.parsed is None and "json" in answer.headers["content-type"]:
        raise TypeError("no model read the answer")
    return answer.parsed


tour.run(call)
