"""The tour by the client of `openapi-generator -g python`: its own models read each answer."""
import inspect
import sys
import typing

import openapi_client
from tour import Tour, snake

url, *files = sys.argv[1:]
tour = Tour(*files)
client = openapi_client.ApiClient(openapi_client.Configuration(host=url))


def body_of(method, body):
    """The body as the class that the method takes, by its name among the parameters."""
    for name, parameter in inspect.signature(method).parameters.items():
        kinds = [parameter.annotation, *typing.get_args(parameter.annotation)]
        kinds += [each for kind in kinds for each in typing.get_args(kind)]
        for kind in kinds:
            if hasattr(kind, "from_dict") and not name.startswith("_"):
                return {name: kind.model_validate(body)}
    raise LookupError("no parameter for the body")


def call(step):
    operation = tour.operation(step)
    api = getattr(openapi_client, f"{operation['tags'][0].capitalize()}Api")(client)
    method = getattr(api, snake(operation["operationId"]))
    arguments = {snake(key): value for key, value in tour.filled(step.get("params", {})).items()}
    if "body" in step:
        arguments |= body_of(method, tour.filled(step["body"]))
    return method(**arguments)


tour.run(call)
