"""What AWS refuses and MiniStack 1.4.21 forgives, as far as the templates of this service could meet it.

Each refusal has a row with its source in docs/architecture/aws-refusals.md, and a test in test/deploy/refusals.test.ts. A message
in quotation marks there is AWS's own, word for word.
"""

import json

from ministack.services import apigateway_v1 as gateway
from ministack.services import cloudformation, s3
from ministack.services.cloudformation import engine, helpers, provisioners

MAX_BODY = 51_200
MAX_OBJECT = 1_000_000
MAX_DECLARED = {"Resources": 500, "Parameters": 200, "Outputs": 200}
MAX_PARAMETER = 4_096
# What CloudFormation sends in one UpdateStage: two for each method setting.
MAX_PATCH_OPERATIONS = 80
# Of an account that never asked for more, and what AWS keeps of it for functions without a reservation.
CONCURRENT_EXECUTIONS = 1_000
UNRESERVED = 100

# The name that a template may give, and the other properties whose change makes another resource (AWS's own schemas).
NAMED = {
    "AWS::ApiGateway::Stage": ("StageName", ["RestApiId"]),
    "AWS::CloudFront::Function": ("Name", []),
    "AWS::CloudWatch::Alarm": ("AlarmName", []),
    "AWS::CloudWatch::Dashboard": ("DashboardName", []),
    "AWS::DynamoDB::Table": ("TableName", ["ImportSourceSpecification"]),
    "AWS::IAM::Role": ("RoleName", ["Path"]),
    "AWS::Lambda::Function": ("FunctionName", ["PackageType", "TenancyConfig"]),
    "AWS::Logs::LogGroup": ("LogGroupName", []),
    "AWS::S3::Bucket": ("BucketName", []),
    "AWS::SNS::Topic": ("TopicName", ["FifoTopic"]),
    "AWS::SQS::Queue": ("QueueName", ["FifoQueue"]),
    "AWS::Scheduler::Schedule": ("Name", []),
}


class Refused(ValueError):
    pass


# --- Change sets ---


def refuse_change_set(params):
    """The reason why CreateChangeSet is refused, or None."""
    body, unreadable = helpers._resolve_template(params)
    if unreadable or not body:
        return None
    by_url = not helpers._p(params, "TemplateBody")
    if not by_url and len(body.encode()) > MAX_BODY:
        return (
            "1 validation error detected: Value at 'templateBody' failed to satisfy constraint: "
            f"Member must have length less than or equal to {MAX_BODY}"
        )
    if len(body.encode()) > MAX_OBJECT:
        return f"Template may not exceed {MAX_OBJECT} bytes in size."
    template = json.loads(body)
    stack = cloudformation._stacks.get(helpers._p(params, "StackName"), {})
    given = {p["Key"]: p["Value"] for p in helpers._extract_members(params, "Parameters")}
    capabilities = [value for key, [value, *_] in params.items() if key.startswith("Capabilities.member.")]
    return (
        refuse_state(stack)
        or refuse_declarations(template)
        or refuse_parameters(template, given)
        or refuse_references(template)
        or refuse_capabilities(template, capabilities)
    )


def refuse_state(stack):
    status = stack.get("StackStatus", "DELETE_COMPLETE")
    if status in ("DELETE_COMPLETE", "REVIEW_IN_PROGRESS"):
        return None
    if status.endswith("_IN_PROGRESS") or status.endswith("_FAILED") or status == "ROLLBACK_COMPLETE":
        return f"Stack:{stack['StackId']} is in {status} state and can not be updated."
    return None


def refuse_declarations(template):
    for part, most in MAX_DECLARED.items():
        count = len(template.get(part, {}))
        if count > most:
            return f"Template format error: Number of {part.lower()}, {count}, is greater than maximum allowed, {most}"
    return None


def refuse_parameters(template, given):
    unknown = [name for name in given if name not in template.get("Parameters", {})]
    if unknown:
        return f"Parameters: [{', '.join(unknown)}] do not exist in the template"
    long = [name for name, value in given.items() if len(value.encode()) > MAX_PARAMETER]
    return f"Parameter values of {long} are over {MAX_PARAMETER} bytes" if long else None


def refuse_references(template):
    resources = template.get("Resources", {})
    known = {*resources, *template.get("Parameters", {})}
    for part in ("Resources", "Outputs"):
        missing = sorted({name for name in references(template.get(part, {})) if name not in known})
        if missing:
            return f"Template format error: Unresolved resource dependencies [{', '.join(missing)}] in the {part} block of the template"
    conditions = {r["Condition"] for r in resources.values() if "Condition" in r} - {*template.get("Conditions", {})}
    if conditions:
        return f"Template format error: Unresolved condition dependency {min(conditions)} in the Resources block of the template"
    try:
        engine._topological_sort(resources, {})
    except ValueError as error:
        return f"Circular dependency between resources: {error}"
    return None


def references(value):
    """The logical ids that a part of a template names."""
    if isinstance(value, list):
        for item in value:
            yield from references(item)
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        if key == "Ref" and isinstance(inner, str):
            yield from [] if inner.startswith("AWS::") else [inner]
        elif key == "Fn::GetAtt":
            yield (inner if isinstance(inner, str) else inner[0]).split(".")[0]
        elif key == "Fn::Sub":
            text, *variables = inner if isinstance(inner, list) else [inner]
            names = [name.split(".")[0] for name in engine.re.findall(r"\$\{([^!}][^}]*)\}", text)]
            own = {*variables[0]} if variables else set()
            yield from [name for name in names if not name.startswith("AWS::") and name not in own]
            yield from references(variables)
        elif key == "DependsOn":
            yield from [inner] if isinstance(inner, str) else inner
        else:
            yield from references(inner)


def refuse_capabilities(template, given):
    needed = None
    for resource in template.get("Resources", {}).values():
        kind, props = resource.get("Type", ""), resource.get("Properties", {})
        if not kind.startswith("AWS::IAM::"):
            continue
        named = any(name in props for name in ("RoleName", "ManagedPolicyName", "UserName", "GroupName"))
        needed = "CAPABILITY_NAMED_IAM" if named or needed == "CAPABILITY_NAMED_IAM" else "CAPABILITY_IAM"
    enough = {"CAPABILITY_NAMED_IAM", needed} if needed == "CAPABILITY_IAM" else {needed}
    return f"Requires capabilities : [{needed}]" if needed and not enough & set(given) else None


# --- Names ---


def refuse_taken_name(kind, logical_id, props, stack_name):
    """A name is taken while any stack holds it: a replacement is made before the old one goes."""
    name_property = NAMED.get(kind, (None,))[0]
    name = props.get(name_property)
    if not isinstance(name, str) or kind == "AWS::ApiGateway::Stage":
        return
    for other_name, stack in cloudformation._stacks.items():
        if stack.get("StackStatus") == "DELETE_COMPLETE":
            continue
        for other_id, other in stack.get("_resources", {}).items():
            same = other["ResourceType"] == kind and other.get("Properties", {}).get(name_property) == name
            if same and (other_name, other_id) != (stack_name, logical_id):
                raise Refused(f"{name} already exists in stack {stack['StackId']}")


def changes_any(properties):
    return lambda old, new: any(old.get(name) != new.get(name) for name in properties)


# MiniStack has the refusal, "CloudFormation cannot update a stack when a custom-named resource requires replacing", for tables.
for kind, (name_property, others) in NAMED.items():
    if kind not in provisioners._CUSTOM_NAME_REPLACEMENT:
        provisioners._CUSTOM_NAME_REPLACEMENT[kind] = {"name": name_property, "requires_replacement": changes_any(others)}


# --- API Gateway ---


def create_deployment(logical_id, props, stack_name):
    api_id, stage_name = props["RestApiId"], props.get("StageName")
    description = props.get("StageDescription")
    if description and stage_name in gateway._stages_v1.get(api_id, {}):
        raise Refused("StageDescription cannot be specified when stage referenced by StageName already exists")
    if not any(resource.get("resourceMethods") for resource in gateway._resources.get(api_id, {}).values()):
        raise Refused("The REST API doesn't contain any methods")
    refuse_log_without_role(description or {})
    made = provisioners._apigw_deployment_create(logical_id, {**props, "StageDescription": ""}, stack_name)
    if description:
        settle_stage(gateway._stages_v1[api_id][stage_name], description)
    return made


def delete_deployment(physical_id, props):
    """A stage that the deployment made goes with it, unless another deployment has it by now."""
    stages = gateway._stages_v1.get(props["RestApiId"], {})
    for name in [name for name, stage in stages.items() if stage["deploymentId"] == physical_id]:
        if name != props.get("StageName"):
            raise Refused("Active stages pointing to this deployment must be moved or deleted")
        del stages[name]
    provisioners._apigw_deployment_delete(physical_id, props)


def create_stage(logical_id, props, stack_name):
    api_id, name = props["RestApiId"], props["StageName"]
    if name in gateway._stages_v1.get(api_id, {}):
        raise Refused("Stage already exists")
    refuse_stage(props)
    refuse_large_update({}, settings_of(props))
    made = provisioners._apigw_stage_create(logical_id, props, stack_name)
    settle_stage(gateway._stages_v1[api_id][name], props)
    return made


def update_stage(physical_id, old_props, props, stack_name):
    refuse_stage(props)
    stage = gateway._stages_v1.get(props["RestApiId"], {}).get(physical_id)
    if stage is None:
        raise Refused("Invalid Stage identifier specified")
    refuse_large_update(settings_of(old_props), settings_of(props))
    stage["deploymentId"] = props["DeploymentId"]
    settle_stage(stage, props)
    return physical_id, {"StageName": physical_id}


def refuse_stage(props):
    if props.get("DeploymentId") not in gateway._deployments_v1.get(props["RestApiId"], {}):
        raise Refused("Invalid Deployment identifier specified")
    refuse_log_without_role(props)


def refuse_log_without_role(props):
    settings = gateway._account_settings.get("settings") or {}
    if "AccessLogSetting" in props and not settings.get("cloudwatchRoleArn"):
        raise Refused("CloudWatch Logs role ARN must be set in account settings to enable logging")


def settings_of(props):
    """The settings of methods, each as one operation of an update has it."""
    return {
        (own["ResourcePath"], own["HttpMethod"], name): value
        for own in props.get("MethodSettings", [])
        for name, value in own.items()
        if name not in ("ResourcePath", "HttpMethod")
    }


def refuse_large_update(old, new):
    """CreateStage takes no settings of methods, so CloudFormation sends all of them to UpdateStage."""
    count = sum(old.get(key) != new.get(key) for key in {*old, *new})
    if count > MAX_PATCH_OPERATIONS:
        raise Refused("Update size too large. Try updating stage in multiple UpdateStage operations")


def settle_stage(stage, props):
    log = props.get("AccessLogSetting", {})
    stage["tracingEnabled"] = props.get("TracingEnabled", False)
    stage["accessLogSettings"] = {"destinationArn": log.get("DestinationArn"), "format": log.get("Format")}
    stage["methodSettings"] = {
        f"{own['ResourcePath'].lstrip('/') or '/'}/{own['HttpMethod']}": {
            "throttlingRateLimit": own.get("ThrottlingRateLimit"),
            "throttlingBurstLimit": own.get("ThrottlingBurstLimit"),
        }
        for own in props.get("MethodSettings", [])
    }


# --- Lambda, S3 ---


def refuse_reservation(stack_name, logical_id, props):
    """Reserved concurrency of the whole account, of which AWS keeps a part free."""
    total = props.get("ReservedConcurrentExecutions") or 0
    for other_name, stack in cloudformation._stacks.items():
        if stack.get("StackStatus") == "DELETE_COMPLETE":
            continue
        for other_id, other in stack.get("_resources", {}).items():
            if other["ResourceType"] == "AWS::Lambda::Function" and (other_name, other_id) != (stack_name, logical_id):
                total += int(other["Properties"].get("ReservedConcurrentExecutions") or 0)
    if total > CONCURRENT_EXECUTIONS - UNRESERVED:
        raise Refused(
            "Specified ReservedConcurrentExecutions for function decreases account's "
            f"UnreservedConcurrentExecution below its minimum value of [{UNRESERVED}]."
        )


def refuse_second_mapping(stack_name, logical_id, props):
    for other_name, stack in cloudformation._stacks.items():
        for other_id, other in stack.get("_resources", {}).items():
            if stack.get("StackStatus") == "DELETE_COMPLETE" or (other_name, other_id) == (stack_name, logical_id):
                continue
            own = other.get("Properties", {})
            same = all(own.get(name) == props.get(name) for name in ("EventSourceArn", "FunctionName"))
            if other["ResourceType"] == "AWS::Lambda::EventSourceMapping" and same:
                raise Refused(
                    "An event source mapping with SQS arn and function already exists. "
                    "Please update or delete the existing mapping"
                )


def delete_bucket(physical_id, props):
    if s3._buckets.get(physical_id, {}).get("objects"):
        raise Refused("The bucket you tried to delete is not empty")
    delete_empty_bucket(physical_id, props)


delete_empty_bucket = provisioners._RESOURCE_HANDLERS["AWS::S3::Bucket"]["delete"]
provisioners._RESOURCE_HANDLERS["AWS::S3::Bucket"]["delete"] = delete_bucket
provisioners._RESOURCE_HANDLERS["AWS::ApiGateway::Deployment"] = {"create": create_deployment, "delete": delete_deployment}
provisioners._RESOURCE_HANDLERS["AWS::ApiGateway::Stage"] = {
    "create": create_stage,
    "update": update_stage,
    "delete": provisioners._apigw_stage_delete,
}


def refuse_resource(kind, logical_id, props, stack_name):
    """Raises for what AWS refuses to make. Updates pass through here as well, with what they become."""
    if kind == "AWS::Lambda::Function":
        refuse_reservation(stack_name, logical_id, props)
    if kind == "AWS::Lambda::EventSourceMapping":
        refuse_second_mapping(stack_name, logical_id, props)
    refuse_taken_name(kind, logical_id, props, stack_name)
