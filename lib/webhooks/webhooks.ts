import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { timestamp } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { change } from '../records/change.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { addDelivery } from './announce.ts';
import {
  allWebhooks,
  type ChangeWebhook,
  type CreateWebhook,
  deliveries,
  deliveriesPartition,
  MAX_WEBHOOKS,
  type StoredWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
  webhooks,
  webhookWork,
} from './schema.ts';
import { nextSecret, storeSecret } from './secrets.ts';

export const WEBHOOK_ERRORS = ['webhook_not_found', 'workspace_scoped_token'] as const satisfies ErrorCode[];

/** Deliveries that the log shows. */
const SHOWN = 200;

export interface WebhookPorts extends TimedRecords {
  secrets: Secrets;
}

function describe({ secretId: _, version: __, ...webhook }: StoredWebhook): Webhook {
  const { id, name, url, events, isEnabled, disabledReason, failingSince, createdAt } = webhook;
  return { id, name, url, events, isEnabled, disabledReason, failingSince, createdAt };
}

/** Lists the webhooks, oldest first. Throws Forbidden for anyone but global administrators, like all rules here. */
export async function listWebhooks(records: Records, caller: Caller): Promise<Webhook[]> {
  requireAdminOfAll(caller);
  return (await webhooks.list(records, allWebhooks)).items.map(describe);
}

/** Creates a webhook. The record is first, so that no secret is left without one. Throws Conflict, Forbidden. */
export async function createWebhook(
  ports: WebhookPorts,
  caller: Caller,
  fields: CreateWebhook,
): Promise<WebhookWithSecret> {
  if ((await listWebhooks(ports.records, caller)).length >= MAX_WEBHOOKS)
    throw new Conflict(
      'too_many_webhooks',
      `There can be at most ${MAX_WEBHOOKS} webhooks. Delete one first.`,
    );
  const id = newId();
  const stored = await nextSecret(ports, id);
  const webhook: StoredWebhook = {
    ...{ id, ...fields, isEnabled: true, disabledReason: null, failingSince: null },
    ...{ secretId: stored.secretId, createdAt: timestamp(ports.clock), version: 1 },
  };
  await webhooks.create(ports.records, webhook);
  await storeSecret(ports.secrets, id, stored);
  return { ...describe(webhook), secret: stored.current };
}

/** Changes a webhook. Enabled again, it gets only later events. Throws NotFound, Conflict, Forbidden. */
export async function changeWebhook(
  { records }: WebhookPorts,
  caller: Caller,
  id: string,
  { isEnabled, ...fields }: ChangeWebhook,
): Promise<Webhook> {
  requireAdminOfAll(caller);
  const state =
    isEnabled === undefined
      ? {}
      : { isEnabled, disabledReason: isEnabled ? null : ('by_administrator' as const), failingSince: null };
  return describe(await update(records, id, { ...defined(fields), ...state }));
}

function defined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

async function update(records: Records, id: string, fields: Partial<StoredWebhook>): Promise<StoredWebhook> {
  const changed = await change(webhooks, records, { id }, (before) => before && fields);
  if (changed === undefined) throw notFound();
  return changed;
}

/**
 * Replaces the secret; the previous one also signs for 24 hours. The record names the secret first, so that no worker
 * signs with only the previous one later. Throws NotFound, Conflict, Forbidden.
 */
export async function rotateWebhookSecret(
  ports: WebhookPorts,
  caller: Caller,
  id: string,
): Promise<WebhookWithSecret> {
  await findWebhook(ports.records, caller, id);
  const stored = await nextSecret(ports, id);
  const webhook = await update(ports.records, id, { secretId: stored.secretId });
  await storeSecret(ports.secrets, id, stored);
  return { ...describe(webhook), secret: stored.current };
}

/** Deletes a webhook with its secret and its deliveries; the record is last, so that it can be repeated. */
export async function deleteWebhook(
  { records, secrets }: WebhookPorts,
  caller: Caller,
  id: string,
): Promise<void> {
  await findWebhook(records, caller, id);
  await storeSecret(secrets, id, null);
  await dropWebhook(records, id);
}

/** Removes the records of a webhook; those of events that are announced later are removed by the worker. Idempotent. */
export async function dropWebhook(records: Records, id: string): Promise<void> {
  await webhooks.delete(records, { id });
  await dropPartition(records, deliveriesPartition(id));
  await webhookWork.delete(records, { webhookId: id });
}

/** Sends a test event at once. Throws NotFound, Conflict for a disabled webhook, Forbidden. */
export async function testWebhook(
  ports: WebhookPorts & { agentQueue: Queue },
  caller: Caller,
  id: string,
): Promise<{ deliveryId: string }> {
  const webhook = await findWebhook(ports.records, caller, id);
  if (!webhook.isEnabled)
    throw new Conflict('webhook_disabled', 'This webhook is disabled. Enable it first.');
  const at = ports.clock.now();
  const event = { type: 'webhook.test' as const, name: newId(), at, data: { webhookId: id } };
  const deliveryId = await addDelivery(ports, id, event);
  await ports.agentQueue.send([{ body: { runId: '', webhookId: id } }]);
  return { deliveryId };
}

/** Returns the latest deliveries, newest first. Throws NotFound, Forbidden. */
export async function listDeliveries(records: Records, caller: Caller, id: string) {
  await findWebhook(records, caller, id);
  const query = { partition: deliveriesPartition(id), order: 'descending' as const, limit: SHOWN };
  const { items } = await deliveries.list(records, query);
  return items.map(describeDelivery).sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

function describeDelivery({ webhookId: _, body: __, ...shown }: WebhookDelivery) {
  const { id, type, state, attempts, status, error, createdAt, nextAt, finishedAt } = shown;
  return { id, type, state, attempts, status, error, createdAt, nextAt, finishedAt };
}

async function findWebhook(records: Records, caller: Caller, id: string): Promise<StoredWebhook> {
  requireAdminOfAll(caller);
  const found = await webhooks.get(records, { id });
  if (found === undefined) throw notFound();
  return found;
}

function notFound(): NotFound {
  return new NotFound('webhook_not_found', 'This webhook does not exist.');
}
