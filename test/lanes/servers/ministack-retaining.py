"""MiniStack, with what a deployment of this service needs of CloudFormation and MiniStack 1.4.21 lacks:

- DeletionPolicy: Retain and RetainExceptOnCreate, when a resource leaves a template and when a stack is deleted;
- change sets of the type IMPORT, with AWS's refusals: what does not exist, and what another stack holds;
- termination protection; stack policies are taken and kept, not enforced;
- a change of a table's properties, which here would make another table;
- file systems, as ids alone;
- rollbacks and the alarms that start one: ministack_rollback.py.
"""

import hashlib

import ministack_rollback
from ministack import app
from ministack.services import cloudformation, dynamodb, s3
from ministack.services.cloudformation import changesets, handlers, helpers, provisioners, stacks

imports = {}
protected = set()
file_systems = set()


def create_file_system(logical_id, props, stack_name):
    physical_id = f"fs-{hashlib.sha256(f'{stack_name} {logical_id}'.encode()).hexdigest()[:17]}"
    file_systems.add(physical_id)
    return physical_id, {"Arn": file_system_arn(physical_id)}


def file_system_arn(physical_id):
    return f"arn:aws:elasticfilesystem:eu-west-1:000000000000:file-system/{physical_id}"


provisioners._RESOURCE_HANDLERS["AWS::EFS::FileSystem"] = {
    "create": create_file_system,
    "update": lambda physical_id, old_props, new_props, stack_name: (physical_id, {"Arn": file_system_arn(physical_id)}),
    "delete": lambda physical_id, *rest: file_systems.discard(physical_id),
}


def resource_of(stack_name, logical_id):
    template = cloudformation._stacks[stack_name].get("_template") or {}
    return template.get("Resources", {}).get(logical_id, {})


delete_resource = stacks._delete_resource


def delete_unless_retained(rtype, physical_id, props, stack_name=None, logical_id=None):
    if resource_of(stack_name, logical_id).get("DeletionPolicy") in ("Retain", "RetainExceptOnCreate"):
        return
    delete_resource(rtype, physical_id, props, stack_name, logical_id)


stacks._delete_resource = delete_unless_retained
provision_resource = stacks._provision_resource


def provision_or_take_over(rtype, logical_id, props, stack_name):
    physical_id = imports.get((stack_name, logical_id))
    if physical_id is None:
        return provision_resource(rtype, logical_id, props, stack_name)
    known = {
        "AWS::DynamoDB::Table": dynamodb._tables,
        "AWS::S3::Bucket": s3._buckets,
        "AWS::EFS::FileSystem": file_systems,
    }[rtype]
    if physical_id not in known:
        raise ValueError(f"{physical_id} does not exist")
    for name, stack in cloudformation._stacks.items():
        held = [r["PhysicalResourceId"] for r in stack.get("_resources", {}).values()]
        if name != stack_name and physical_id in held and stack["StackStatus"] != "DELETE_COMPLETE":
            raise ValueError(f"{physical_id} already exists in stack {name}")
    arns = {
        "AWS::DynamoDB::Table": lambda: known[physical_id]["TableArn"],
        "AWS::S3::Bucket": lambda: f"arn:aws:s3:::{physical_id}",
        "AWS::EFS::FileSystem": lambda: file_system_arn(physical_id),
    }
    return physical_id, {"Arn": arns[rtype]()}


stacks._provision_resource = provision_or_take_over
update_resource = stacks._update_resource


def update_in_place(rtype, physical_id, old_props, new_props, stack_name, logical_id=None, old_attrs=None):
    if rtype == "AWS::DynamoDB::Table":
        return physical_id, old_attrs or {}
    return update_resource(rtype, physical_id, old_props, new_props, stack_name, logical_id, old_attrs)


stacks._update_resource = update_in_place
deploy_stack = stacks._deploy_stack_async


async def deploy_or_import(stack_name, *rest, **named):
    await deploy_stack(stack_name, *rest, **named)
    stack = cloudformation._stacks[stack_name]
    taken = [key for key in imports if key[0] == stack_name]
    if taken and stack["StackStatus"] == "CREATE_COMPLETE":
        stack["StackStatus"] = "IMPORT_COMPLETE"
    for key in taken:
        del imports[key]


changesets._deploy_stack_async = deploy_or_import


def create_change_set(params):
    if helpers._p(params, "ChangeSetType") != "IMPORT":
        return changesets._create_change_set(params)
    stack_name = helpers._p(params, "StackName")
    number = 1
    while logical_id := helpers._p(params, f"ResourcesToImport.member.{number}.LogicalResourceId"):
        value = f"ResourcesToImport.member.{number}.ResourceIdentifier.entry.1.value"
        imports[(stack_name, logical_id)] = helpers._p(params, value)
        number += 1
    return changesets._create_change_set({**params, "ChangeSetType": ["CREATE"]})


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

ministack_rollback.install(delete_resource)

if __name__ == "__main__":
    app.main()
