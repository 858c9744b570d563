import { setTimeout } from 'node:timers/promises';
import {
  type CloudFormationClient,
  CreateChangeSetCommand,
  DeleteChangeSetCommand,
  DeleteStackCommand,
  DescribeChangeSetCommand,
  DescribeStacksCommand,
  ExecuteChangeSetCommand,
  paginateDescribeStackEvents,
  paginateListStackResources,
  type RollbackConfiguration,
  type Stack,
  type StackEvent,
  waitUntilChangeSetCreateComplete,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
  waitUntilStackUpdateComplete,
} from '@aws-sdk/client-cloudformation';
import type { Template } from './template.ts';

/**
 * Longer than CloudFormation takes to create a NAT gateway, mount targets, and the functions' network
 * interfaces.
 */
const MAX_WAIT_SECONDS = 90 * 60;
/** Bytes; a larger template is passed by its URL. */
const MAX_BODY = 51_200;

export interface StackChange {
  name: string;
  template: Template;
  parameters?: Record<string, string>;
  /** The tags of the stack and of its resources. */
  tags?: Record<string, string>;
  /** Alarms that roll back an update. Without this, the stack keeps the alarms of its last update. */
  rollback?: RollbackConfiguration;
  /** Uploads a long template; returns its URL. */
  put?: (body: string) => Promise<string>;
  /** Seconds between two polls. */
  every?: number | undefined;
  /** Called with a line about an earlier operation that this change waits for. */
  tell?: ((line: string) => void) | undefined;
}

/** Returns the current stack, or undefined. */
export async function findStack(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  const found = await client.send(new DescribeStacksCommand({ StackName: name })).catch((error: Error) => {
    if (/does not exist/.test(error.message)) return undefined;
    throw error;
  });
  const stack = found?.Stacks?.[0];
  // A change set that was never executed leaves an empty stack.
  const nothing = ['DELETE_COMPLETE', 'REVIEW_IN_PROGRESS'].includes(stack?.StackStatus ?? '');
  return nothing ? undefined : stack;
}

export async function outputsOf(client: CloudFormationClient, name: string): Promise<Record<string, string>> {
  const outputs = (await findStack(client, name))?.Outputs ?? [];
  return Object.fromEntries(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}

/** States of a resource that the stack still lists but no longer contains. */
const GONE = ['DELETE_COMPLETE', 'DELETE_SKIPPED'];

/** Returns the physical ID (the value of a `Ref`) of each resource in the stack, by logical ID. */
export async function physicalIds(client: CloudFormationClient, name: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for await (const page of paginateListStackResources({ client }, { StackName: name })) {
    const held = (page.StackResourceSummaries ?? []).filter(
      ({ ResourceStatus = '' }) => !GONE.includes(ResourceStatus),
    );
    for (const { LogicalResourceId = '', PhysicalResourceId = '' } of held)
      ids.set(LogicalResourceId, PhysicalResourceId);
  }
  return ids;
}

/**
 * Waits for an operation on the stack that is still running, for example after a killed deployment, because
 * CloudFormation refuses a second operation. Then returns the same as findStack.
 */
export async function findSettled(
  client: CloudFormationClient,
  { name, every = 5, tell }: Pick<StackChange, 'name' | 'every' | 'tell'>,
): Promise<Stack | undefined> {
  const until = Date.now() + MAX_WAIT_SECONDS * 1000;
  for (let told = false; ; told = true) {
    const found = await findStack(client, name);
    const status = found?.StackStatus;
    if (!status?.endsWith('_IN_PROGRESS')) return found;
    if (Date.now() > until) throw new Error(`${name}: an earlier operation doesn't end (${status}).`);
    if (!told) tell?.(`${name} is waiting for an earlier operation to end (${status})`);
    await setTimeout(every * 1000);
  }
}

/**
 * Updates the stack to the template through a change set, after waiting for a running operation. Returns false if
 * nothing changed. Throws with the reason for a failure.
 */
export async function changeStack(client: CloudFormationClient, change: StackChange): Promise<boolean> {
  const { name, every = 5 } = change;
  const found = await findSettled(client, change);
  // A failed first creation leaves only its name behind.
  if (found?.StackStatus === 'ROLLBACK_COMPLETE') await deleteStack(client, name, every);
  const creates = found === undefined || found.StackStatus === 'ROLLBACK_COMPLETE';
  const type = creates ? 'CREATE' : 'UPDATE';
  const ChangeSetName = await proposeChange(client, change, type);
  if (ChangeSetName === undefined) return false;
  const since = Date.now();
  await client.send(new ExecuteChangeSetCommand({ StackName: name, ChangeSetName }));
  const wait = {
    CREATE: waitUntilStackCreateComplete,
    UPDATE: waitUntilStackUpdateComplete,
  };
  const watchSeconds = (change.rollback?.MonitoringTimeInMinutes ?? 0) * 60;
  const options = waiting(client, every, MAX_WAIT_SECONDS + watchSeconds);
  await wait[type](options, { StackName: name }).catch(async (error: unknown) => {
    throw new Error(`${name}: ${await firstFailure(client, name, since)}`, { cause: error });
  });
  return true;
}

export async function deleteStack(client: CloudFormationClient, name: string, every = 5): Promise<void> {
  const since = Date.now();
  await client.send(new DeleteStackCommand({ StackName: name }));
  await waitUntilStackDeleteComplete(waiting(client, every), { StackName: name }).catch(
    async (error: unknown) => {
      throw new Error(`${name}: ${await firstFailure(client, name, since)}`, { cause: error });
    },
  );
}

function waiting(client: CloudFormationClient, every: number, maxWaitTime = MAX_WAIT_SECONDS) {
  return { client, maxWaitTime, minDelay: every, maxDelay: every };
}

/** Returns the name of the change set, or undefined if there is nothing to change. */
async function proposeChange(
  client: CloudFormationClient,
  { name: StackName, template, parameters = {}, tags, rollback, put, every = 5 }: StackChange,
  ChangeSetType: 'CREATE' | 'UPDATE',
): Promise<string | undefined> {
  const ChangeSetName = `change-${Date.now()}`;
  const body = JSON.stringify(template);
  const source = body.length > MAX_BODY && put ? { TemplateURL: await put(body) } : { TemplateBody: body };
  await client.send(
    new CreateChangeSetCommand({
      StackName,
      ChangeSetName,
      ChangeSetType,
      ...source,
      Parameters: parametersFor(template, parameters),
      Capabilities: ['CAPABILITY_IAM'],
      Tags: tags && Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      RollbackConfiguration: rollback,
    }),
  );
  const wait = { client, maxWaitTime: 600, minDelay: Math.min(2, every), maxDelay: Math.min(2, every) };
  const failed = await waitUntilChangeSetCreateComplete(wait, { StackName, ChangeSetName }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (failed === undefined) return ChangeSetName;
  const { StatusReason = '' } = await client.send(new DescribeChangeSetCommand({ StackName, ChangeSetName }));
  await client.send(new DeleteChangeSetCommand({ StackName, ChangeSetName }));
  if (/didn't contain changes|No updates are to be performed/.test(StatusReason)) return undefined;
  throw new Error(`${StackName}: ${StatusReason}`, { cause: failed.error });
}

/** Returns the values that the template accepts as parameters; the other parameters have their defaults. */
function parametersFor({ Parameters = {} }: Template, values: Record<string, string>) {
  const taken = Object.entries(values).filter(([name]) => name in Parameters);
  return taken.map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue }));
}

/** The state of resources after another resource failed, or the operation was rolled back. */
const CANCELLED = /cancelled$/i;

/**
 * Returns why an operation failed: the first failure before the rollback or, without one, the reason of the
 * rollback.
 */
async function firstFailure(client: CloudFormationClient, name: string, since: number): Promise<string> {
  const events = await eventsSince(client, name, since - 60_000);
  const rollback = events.findLast(isRollback);
  const isEarlier = ({ Timestamp }: StackEvent) => !(Number(Timestamp) > Number(rollback?.Timestamp));
  const first = events.findLast((event) => isFailure(event) && isEarlier(event)) ?? rollback;
  if (first === undefined) return 'it failed for an unknown reason';
  const { LogicalResourceId, ResourceStatusReason = 'rolled back for an unknown reason' } = first;
  return isRollback(first) ? ResourceStatusReason : `${LogicalResourceId}: ${ResourceStatusReason}`;
}

/** Newest first. A page has about a hundred events, and the rollback of a large stack creates hundreds. */
async function eventsSince(client: CloudFormationClient, name: string, since: number): Promise<StackEvent[]> {
  const events: StackEvent[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: name })) {
    const recent = StackEvents.filter(({ Timestamp }) => Number(Timestamp) >= since);
    events.push(...recent);
    if (recent.length < StackEvents.length) break;
  }
  return events;
}

function isFailure({ ResourceStatus, ResourceStatusReason = '' }: StackEvent): boolean {
  return ResourceStatus?.endsWith('_FAILED') === true && !CANCELLED.test(ResourceStatusReason);
}

function isRollback({ ResourceStatus }: StackEvent): boolean {
  return ResourceStatus?.endsWith('ROLLBACK_IN_PROGRESS') === true;
}
