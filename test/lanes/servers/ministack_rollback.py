"""What CloudFormation does when an operation fails or an alarm goes off, and MiniStack 1.4.21 lacks:

- RetainExceptOnCreate: kept like Retain, except by the operation that created the resource. Retain stays even then
  (docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html);
- a protected table can't be deleted, not even by a rollback, which then fails (DynamoDB's DeletionProtectionEnabled);
- a failed update returns to the template before: MiniStack deletes what it had updated;
- rollback triggers: at most five; those of the last update hold until others are given, an empty list ends them; a missing alarm
  fails the operation; an alarm in ALARM during the operation or the minutes after it rolls it back; INSUFFICIENT_DATA doesn't
  (docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-rollback-triggers.html, API_RollbackConfiguration.html).
  That an alarm counts which was in ALARM before: as reports have it (github.com/aws-solutions-library-samples/
  guidance-for-automating-network-monitoring-and-alerting-on-aws/issues/8), AWS's page doesn't say.
"""

import asyncio
import copy
import os
import time
from functools import partial
from urllib.parse import parse_qs

from ministack.services import cloudformation, cloudwatch, dynamodb
from ministack.services.cloudformation import changesets, handlers, helpers, stacks

MINUTE_SECONDS = float(os.environ.get("CLOUDFORMATION_MINUTE_SECONDS", "1"))
MAX_TRIGGERS = 5

operations = {}
triggers_of_change_sets = {}
inherited = {}


def delete_as_the_operation_may(rtype, physical_id, props, stack_name=None, logical_id=None):
    operation = operations.get(stack_name)
    rolls_back = "ROLLBACK_IN_PROGRESS" in cloudformation._stacks[stack_name]["StackStatus"]
    if operation is None or not rolls_back:
        return inherited["delete"](rtype, physical_id, props, stack_name, logical_id)
    if logical_id in operation["before"]:
        was = operation["before"][logical_id]
        update_with_protection(rtype, physical_id, props, was["Properties"], stack_name, logical_id, was["Attributes"])
        return None
    if operation["template"]["Resources"][logical_id].get("DeletionPolicy") == "Retain":
        return None
    if rtype == "AWS::DynamoDB::Table" and dynamodb._tables[physical_id].get("DeletionProtectionEnabled"):
        operation["stuck"].append(logical_id)
        raise ValueError(f"{physical_id} is protected against deletion. Disable deletion protection first.")
    return inherited["delete_now"](rtype, physical_id, props, stack_name, logical_id)


def update_with_protection(rtype, physical_id, old_props, new_props, *rest, **named):
    if rtype == "AWS::DynamoDB::Table":
        dynamodb._tables[physical_id]["DeletionProtectionEnabled"] = new_props.get("DeletionProtectionEnabled", False)
    return inherited["update"](rtype, physical_id, old_props, new_props, *rest, **named)


async def deploy_and_watch(stack_name, stack_id, template, param_values, *rest, is_update=False, previous_stack=None):
    stack = cloudformation._stacks[stack_name]
    if stack_name in triggers_of_change_sets:
        stack["_rollback"] = triggers_of_change_sets.pop(stack_name)
    before = (previous_stack or {}).get("_resources", {})
    operation = {"template": template, "before": before, "stuck": []}
    operations[stack_name] = operation
    named = {"is_update": is_update, "previous_stack": previous_stack}
    try:
        await inherited["deploy"](stack_name, stack_id, template, param_values, *rest, **named)
    finally:
        del operations[stack_name]
    status = stack["StackStatus"]
    if status == "ROLLBACK_COMPLETE" and operation["stuck"]:
        stack["StackStatus"] = "ROLLBACK_FAILED"
    if status == "UPDATE_ROLLBACK_COMPLETE":
        stack["_template_body"] = previous_stack["_template_body"]
    if status == "UPDATE_COMPLETE":
        cloudformation._stack_events[stack_id].pop()
        stack["StackStatus"] = "UPDATE_IN_PROGRESS"
        reason = await breach(stack.get("_rollback", {}))
        status = "UPDATE_COMPLETE" if reason is None else "UPDATE_ROLLBACK_IN_PROGRESS"
        stack["StackStatus"] = status
        stacks._add_event(stack_id, stack_name, stack_name, "AWS::CloudFormation::Stack", status, reason or "", stack_id)
        if reason is not None:
            await return_to(previous_stack, copy.deepcopy(stack["_resources"]), stack_name, stack_id)


async def return_to(previous, resources, stack_name, stack_id):
    """Applies the template before to the resources as they are."""
    stack = cloudformation._stacks[stack_name]
    stack["StackStatus"] = "UPDATE_ROLLBACK_IN_PROGRESS"
    stack["_resources"] = resources
    now = {**previous, "_resources": copy.deepcopy(resources)}
    arguments = (previous["_template"], previous["_resolved_params"], False, stack.get("Tags", []))
    await inherited["deploy"](stack_name, stack_id, *arguments, is_update=True, previous_stack=now)
    stack["_template_body"] = previous["_template_body"]
    stack["StackStatus"] = "UPDATE_ROLLBACK_COMPLETE"


async def breach(rollback):
    """The reason why an alarm rolls the operation back, or None when the minutes are over."""
    end = time.monotonic() + rollback.get("minutes", 0) * MINUTE_SECONDS
    while True:
        for arn in rollback.get("arns", []):
            alarm = cloudwatch._alarms.get(arn.split(":alarm:")[-1])
            if alarm is None:
                return f"The alarm {arn} doesn't exist"
            if alarm["StateValue"] == "ALARM":
                return f"The alarm {arn} is in the state ALARM"
        if time.monotonic() >= end:
            return None
        await asyncio.sleep(0.1)


def read_rollback(params):
    """The configuration that a change set gives, or None where it gives none."""
    prefix = "RollbackConfiguration."
    if not any(key.startswith(prefix) for key in params):
        return None
    arns = []
    while arn := helpers._p(params, f"{prefix}RollbackTriggers.member.{len(arns) + 1}.Arn"):
        arns.append(arn)
    found = {"minutes": int(helpers._p(params, f"{prefix}MonitoringTimeInMinutes") or 0)}
    if arns or f"{prefix}RollbackTriggers" in params:
        found["arns"] = arns
    return found


def create_change_set(params):
    stack_name = helpers._p(params, "StackName")
    found = read_rollback(params)
    if found is not None and len(found.get("arns", [])) > MAX_TRIGGERS:
        return helpers._error("ValidationError", f"RollbackTriggers must have at most {MAX_TRIGGERS} members")
    triggers_of_change_sets.pop(stack_name, None)
    if found is not None:
        kept = cloudformation._stacks.get(stack_name, {}).get("_rollback", {})
        triggers_of_change_sets[stack_name] = {**kept, **found}
    return inherited["create_change_set"](params)


def install(delete_now):
    """Puts all of it around what MiniStack has by now; `delete_now` deletes without regard to policies."""
    inherited.update(
        delete=stacks._delete_resource,
        delete_now=delete_now,
        update=stacks._update_resource,
        deploy=changesets._deploy_stack_async,
        create_change_set=handlers._ACTION_HANDLERS["CreateChangeSet"],
    )
    stacks._delete_resource = delete_as_the_operation_may
    stacks._update_resource = update_with_protection
    changesets._deploy_stack_async = deploy_and_watch
    handlers._ACTION_HANDLERS["CreateChangeSet"] = create_change_set
    # An empty list is sent as a name without a value.
    cloudformation.parse_qs = partial(parse_qs, keep_blank_values=True)
