import { knownError } from '../known-error.ts';
import { type CallPorts, callWorkers } from '../leases/due.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { WebhookPost } from '../ports/web.ts';
import { change } from '../records/change.ts';
import { toLine } from '../text/one-line.ts';
import {
  deliveries,
  openPartition,
  type StoredWebhook,
  WEBHOOK_WORK,
  type WebhookDelivery,
  type WebhookWork,
  webhooks,
  webhookWork,
} from './schema.ts';
import { readSecrets, signedHeaders } from './secrets.ts';
import { dropWebhook } from './webhooks.ts';

const MINUTE_MS = 60_000;
/** Minutes until the next attempt, after each failed one: ten attempts in 24 hours. */
const PAUSES = [1, 5, 15, 40, 60, 120, 240, 360, 600];
const MAX_PAUSE_MS = 600 * MINUTE_MS;
/** Milliseconds after which a delivery ends with its next failure, however few attempts it had. */
const GIVE_UP_MS = 24 * 60 * MINUTE_MS;
/** Milliseconds of failures after which the last one of a delivery disables the webhook. */
const DISABLE_MS = 23 * 60 * MINUTE_MS;
/** Milliseconds for a response. The body isn't read. */
const TIMEOUT_MS = 10_000;
/** Milliseconds until another process repeats an attempt whose process died; longer than an attempt takes. */
const CLAIM_MS = MINUTE_MS;
/** Milliseconds of one pass, because a worker has other messages, too. */
const PASS_MS = 25_000;
/** Failures that end a pass, because the receiver is down. */
const MAX_FAILURES = 2;
const MAX_ERROR = 200;

interface WebhookWorkPorts extends TimedRecords {
  secrets: Secrets;
  web: WebhookPost;
}

/** Runs every minute: has a worker deliver what is due. */
export function sweepWebhooks(ports: CallPorts): Promise<void> {
  return callWorkers(ports, {
    collection: webhookWork,
    partition: WEBHOOK_WORK,
    againMs: MINUTE_MS,
    messageOf: ({ webhookId }) => ({ runId: '', webhookId }),
    failure: 'a webhook could not be swept',
    about: ({ webhookId }) => ({ webhookId }),
  });
}

/**
 * Sends the due deliveries of a webhook, one after the other, in one pass. Several processes may do this at once. A
 * process that dies leaves an attempt that is repeated with the same `webhook-id`.
 */
export async function deliverDue(ports: WebhookWorkPorts, webhookId: string, ms = PASS_MS): Promise<void> {
  const { records } = ports;
  const work = await webhookWork.get(records, { webhookId });
  const until = performance.now() + ms;
  let failures = 0;
  for await (const found of dueDeliveries(ports, webhookId)) {
    const webhook = await webhooks.get(records, { id: webhookId });
    if (webhook === undefined || performance.now() > until) break;
    if (!webhook.isEnabled) await finish(ports, found, { state: 'dropped' });
    else if (!(await attempt(ports, webhook, found))) failures += 1;
    if (failures === MAX_FAILURES) break;
  }
  await settle(ports, webhookId, work);
}

async function* dueDeliveries({ records, clock }: WebhookWorkPorts, webhookId: string) {
  const now = timestamp(clock);
  for await (const found of openDeliveries(records, webhookId)) {
    if (found.nextAt === null || found.nextAt > now) return;
    yield found;
  }
}

function openDeliveries(records: Records, webhookId: string): AsyncGenerator<WebhookDelivery> {
  return deliveries.all(records, { partition: openPartition(webhookId), byIndex: true, limit: 50 });
}

/**
 * Sets when the webhook is due again, unless an event was announced since the pass began. Ends the work only after two
 * passes without an open delivery, because an index that lags behind can hide one.
 */
async function settle(
  { records, clock }: WebhookWorkPorts,
  webhookId: string,
  work: WebhookWork | undefined,
): Promise<void> {
  if ((await webhooks.get(records, { id: webhookId })) === undefined) return dropWebhook(records, webhookId);
  if (work === undefined) return;
  const next = await openDeliveries(records, webhookId).next();
  const isIdle = next.done === true;
  const expected = { until: work.until };
  if (isIdle && work.isIdle) await ifExpected(webhookWork.delete(records, work, expected));
  else {
    const until = (next.done ? null : next.value.nextAt) ?? timestamp(clock, MINUTE_MS);
    await webhookWork.patch(records, work, { until, isIdle }, expected);
  }
}

/** Makes one attempt, and returns whether the receiver took the event. */
async function attempt(
  ports: WebhookWorkPorts,
  webhook: StoredWebhook,
  found: WebhookDelivery,
): Promise<boolean> {
  const { records, clock } = ports;
  const attempts = found.attempts + 1;
  const { nextAt } = found;
  const mine = await deliveries.patch(
    records,
    found,
    { attempts, nextAt: timestamp(clock, CLAIM_MS) },
    { nextAt, state: 'waiting' },
  );
  if (mine === undefined) return true; // another process makes it
  const { status, error, pauseMs } = await send(ports, webhook, mine);
  if (error === null) {
    await finish(ports, mine, { state: 'delivered', status, error });
    if (webhook.failingSince !== null) await setState(records, webhook.id, { failingSince: null });
    return true;
  }
  await fail(ports, webhook, mine, { status, error, pauseMs });
  return false;
}

interface Outcome {
  status: number | null;
  /** Null if the receiver took the event. */
  error: string | null;
  /** The pause that the receiver asked for. */
  pauseMs: number;
}

/** Never throws, because any failure is the receiver's or its URL's. */
async function send(
  ports: WebhookWorkPorts,
  webhook: StoredWebhook,
  { id, body }: WebhookDelivery,
): Promise<Outcome> {
  try {
    const secrets = await readSecrets(ports, webhook);
    if (secrets.length === 0) return { status: null, error: 'The secret is missing. Rotate it.', pauseMs: 0 };
    const signed = signedHeaders(secrets, `msg_${id}`, Math.floor(ports.clock.now() / 1000), body);
    const headers = { ...signed, 'content-type': 'application/json' };
    const answer = await ports.web.postPublic(webhook.url, { headers, body, timeoutMs: TIMEOUT_MS });
    const { status } = answer;
    const isTaken = status >= 200 && status < 300;
    const pauseMs = readPause(answer.retryAfter, ports.clock.now());
    return { status, error: isTaken ? null : describeStatus(status), pauseMs };
  } catch (error) {
    const known = knownError(error);
    if (known === undefined) log.warn('a webhook could not be sent', { webhookId: webhook.id }, error);
    return {
      status: null,
      error: toLine(known?.message ?? 'The event could not be sent.', MAX_ERROR),
      pauseMs: 0,
    };
  }
}

function describeStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return `The receiver answered ${status}.${isRedirect ? ' Redirects are not followed. Use the final URL.' : ''}`;
}

/** Reads `retry-after`, in seconds or as a date; 0 for anything else. */
function readPause(text: string | null, now: number): number {
  if (text === null) return 0;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_PAUSE_MS) : 0;
}

async function fail(
  ports: WebhookWorkPorts,
  webhook: StoredWebhook,
  mine: WebhookDelivery,
  outcome: Outcome,
) {
  const { records, clock } = ports;
  const { status, error } = outcome;
  const now = timestamp(clock);
  const failingSince = webhook.failingSince ?? now;
  if (status === 410) {
    await setState(records, webhook.id, { isEnabled: false, disabledReason: 'gone', failingSince });
    return finish(ports, mine, { state: 'failed', status, error });
  }
  const pause = PAUSES[mine.attempts - 1];
  const isLast = pause === undefined || Date.parse(mine.createdAt) + GIVE_UP_MS <= clock.now();
  if (!isLast) {
    if (webhook.failingSince === null) await setState(records, webhook.id, { failingSince });
    const nextAt = timestamp(clock, Math.max(pause * MINUTE_MS, outcome.pauseMs));
    await deliveries.patch(
      records,
      mine,
      { nextAt, status, error },
      { nextAt: mine.nextAt, state: 'waiting' },
    );
    return;
  }
  if (Date.parse(failingSince) + DISABLE_MS <= clock.now()) {
    await setState(records, webhook.id, { isEnabled: false, disabledReason: 'failing', failingSince });
    log.warn('a webhook was disabled because every attempt failed for a day', { webhookId: webhook.id });
  }
  await finish(ports, mine, { state: 'failed', status, error });
}

async function finish(
  { records, clock }: WebhookWorkPorts,
  delivery: WebhookDelivery,
  end: Pick<WebhookDelivery, 'state'> & Partial<WebhookDelivery>,
): Promise<void> {
  const ended = { ...end, nextAt: null, finishedAt: timestamp(clock) };
  await deliveries.patch(records, delivery, ended, { nextAt: delivery.nextAt, state: 'waiting' });
}

/** Does nothing for a webhook that was deleted meanwhile. */
async function setState(records: Records, id: string, fields: Partial<StoredWebhook>): Promise<void> {
  await change(webhooks, records, { id }, (before) => before && fields);
}
