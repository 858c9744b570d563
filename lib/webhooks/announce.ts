import { forEachConcurrent } from '../async/for-each-concurrent.ts';
import { derivedId } from '../identifiers.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import {
  allWebhooks,
  deliveries,
  type EVENT_TYPES,
  openPartition,
  type WebhookDelivery,
  webhooks,
  webhookWork,
} from './schema.ts';

/** Something that a webhook may want. It contains IDs, states, titles, and paths of the console, but no content. */
export interface WebhookEvent {
  type: (typeof EVENT_TYPES)[number] | 'webhook.test';
  /** Names the event among those of its type: announced again, it is the same delivery. */
  name: string;
  /** Milliseconds; the same for each announcement of an event. */
  at: number;
  data: Record<string, string | number | null>;
}

/** Open deliveries of a webhook; further events are lost, because its receiver can't follow. */
const MAX_OPEN = 1000;

/**
 * Stores an event for each webhook that wants it; the scheduler tick has a worker deliver it. Idempotent, so a caller
 * that may be killed repeats it. Returns false if that failed, which never fails the caller.
 */
export function announceEvent(ports: TimedRecords, event: WebhookEvent): Promise<boolean> {
  return announceEvents(ports, [event]);
}

/** The number of events that are stored at once. */
const AT_ONCE = 8;

/** Stores several events like announceEvent, with one request for the webhooks. */
export async function announceEvents(ports: TimedRecords, all: readonly WebhookEvent[]): Promise<boolean> {
  try {
    const { items } = await webhooks.list(ports.records, allWebhooks);
    const enabled = items.filter(({ isEnabled }) => isEnabled);
    await forEachConcurrent(all, AT_ONCE, async (event) => {
      for (const { id, events } of enabled)
        if (events.some((type) => type === event.type)) await addDelivery(ports, id, event);
    });
    return true;
  } catch (error) {
    const [first] = all;
    log.error('an event was not stored for webhooks', { type: first?.type, name: first?.name }, error);
    return false;
  }
}

/** Stores a delivery, unless it exists, and makes the webhook due, also if an earlier process died in between. */
export async function addDelivery(
  ports: TimedRecords,
  webhookId: string,
  { type, name, at, data }: WebhookEvent,
): Promise<string> {
  const { records, clock } = ports;
  const id = derivedId(at, `${type}#${name}#${webhookId}`);
  const createdAt = timestamp(clock);
  const delivery: WebhookDelivery = {
    ...{ id, webhookId, type, state: 'waiting', attempts: 0, status: null, error: null },
    ...{ createdAt, nextAt: createdAt, finishedAt: null },
    body: JSON.stringify({ type, timestamp: createdAt, data }),
  };
  const open = await records.count({ partition: openPartition(webhookId), byIndex: true });
  if (open >= MAX_OPEN) {
    log.warn('an event was lost because a webhook has too many open deliveries', { webhookId, type });
    return id;
  }
  await deliveries.create(records, delivery);
  await webhookWork.put(records, { webhookId, until: createdAt, isIdle: false });
  return id;
}
