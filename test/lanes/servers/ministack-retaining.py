"""MiniStack, with what a deployment of this service needs of CloudFormation and MiniStack 1.4.21 lacks:

- DeletionPolicy: Retain and RetainExceptOnCreate, when a resource leaves a template and when a stack is deleted;
- a deletion that fails is told, and a stack whose deletion failed isn't gone;
- termination protection; stack policies are taken and kept, not enforced;
- a change of a table's properties, which here would make another table;
- file systems, as ids alone;
- rollbacks and the alarms that start one: ministack_rollback.py;
- an API as an OpenAPI document: ministack_api.py;
- what AWS refuses: aws_refusals.py.
"""

import hashlib

import aws_refusals
import ministack_api  # noqa: F401 - it changes MiniStack's modules
import ministack_rollback
from ministack import app
from ministack.services import cloudformation
from ministack.services.cloudformation import changesets, handlers, helpers, provisioners, stacks

protected = set()


def create_file_system(logical_id, props, stack_name):
    physical_id = f"fs-{hashlib.sha256(f'{stack_name} {logical_id}'.encode()).hexdigest()[:17]}"
    return physical_id, {"Arn": file_system_arn(physical_id)}


def file_system_arn(physical_id):
    return f"arn:aws:elasticfilesystem:eu-west-1:000000000000:file-system/{physical_id}"


provisioners._RESOURCE_HANDLERS["AWS::EFS::FileSystem"] = {
    "create": create_file_system,
    "update": lambda physical_id, old_props, new_props, stack_name: (physical_id, {"Arn": file_system_arn(physical_id)}),
    "delete": lambda *rest: None,
}


def resource_of(stack_name, logical_id):
    template = cloudformation._stacks[stack_name].get("_template") or {}
    return template.get("Resources", {}).get(logical_id, {})


delete_resource = stacks._delete_resource


def delete_or_tell(rtype, physical_id, props, stack_name=None, logical_id=None):
    stack = cloudformation._stacks[stack_name]
    try:
        delete_resource(rtype, physical_id, props, stack_name, logical_id)
    except Exception as error:
        stacks._add_event(stack["StackId"], stack_name, logical_id, rtype, "DELETE_FAILED", str(error), physical_id)
        raise


def delete_unless_retained(rtype, physical_id, props, stack_name=None, logical_id=None):
    if resource_of(stack_name, logical_id).get("DeletionPolicy") in ("Retain", "RetainExceptOnCreate"):
        return
    delete_or_tell(rtype, physical_id, props, stack_name, logical_id)


stacks._delete_resource = delete_unless_retained
provision_resource = stacks._provision_resource


def provision_or_refuse(rtype, logical_id, props, stack_name):
    aws_refusals.refuse_resource(rtype, logical_id, props, stack_name)
    return provision_resource(rtype, logical_id, props, stack_name)


stacks._provision_resource = provision_or_refuse
update_resource = stacks._update_resource


def update_in_place(rtype, physical_id, old_props, new_props, stack_name, logical_id=None, old_attrs=None):
    if rtype == "AWS::DynamoDB::Table":
        return physical_id, old_attrs or {}
    if old_props != new_props:
        aws_refusals.refuse_resource(rtype, logical_id, new_props, stack_name)
    return update_resource(rtype, physical_id, old_props, new_props, stack_name, logical_id, old_attrs)


stacks._update_resource = update_in_place
delete_all = handlers._delete_stack_async


async def delete_or_fail(stack_name, stack_id):
    told = len(cloudformation._stack_events[stack_id])
    await delete_all(stack_name, stack_id)
    events = cloudformation._stack_events[stack_id][told:]
    if any(event["ResourceStatus"] == "DELETE_FAILED" for event in events):
        cloudformation._stacks[stack_name]["StackStatus"] = "DELETE_FAILED"


handlers._delete_stack_async = delete_or_fail


def create_change_set(params):
    refused = aws_refusals.refuse_change_set(params)
    if refused:
        return helpers._error("ValidationError", refused)
    return changesets._create_change_set(params)


def update_termination_protection(params):
    enable = helpers._p(params, "EnableTerminationProtection") == "true"
    (protected.add if enable else protected.discard)(helpers._p(params, "StackName"))
    return helpers._xml(200, "UpdateTerminationProtectionResponse", "<UpdateTerminationProtectionResult/>")


def delete_stack(params):
    name = helpers._p(params, "StackName")
    if name in protected:
        return helpers._error("ValidationError", f"Stack [{name}] cannot be deleted while TerminationProtection is enabled")
    return handlers._delete_stack(params)


handlers._ACTION_HANDLERS.update(
    CreateChangeSet=create_change_set,
    DeleteStack=delete_stack,
    SetStackPolicy=lambda params: helpers._xml(200, "SetStackPolicyResponse", ""),
    UpdateTerminationProtection=update_termination_protection,
)

ministack_rollback.install(delete_or_tell)

if __name__ == "__main__":
    app.main()
