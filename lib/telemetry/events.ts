import { BroadcastChannel } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { knownError } from '../known-error.ts';
import { type LogFields, type LogLevel, log } from '../log.ts';
import { type Counter, count } from './metrics.ts';

/**
 * The events for which an operator may want an alert. Each occurrence is one log line with the name as
 * `event`, and is counted. The level is `error` if an operator must act. docs/operate/what-to-alert-on.md has
 * the meanings.
 */
export const EVENTS = {
  backup_old: 'error',
  credential_refused: 'warn',
  disk_full: 'error',
  disk_low: 'warn',
  message_dead: 'error',
  provider_failed: 'warn',
  provider_refused: 'error',
  queue_late: 'error',
  record_quarantined: 'error',
  request_failed: 'warn',
  run_failed: 'warn',
  stream_failed: 'warn',
  sync_failed: 'warn',
  task_failed: 'error',
  tick_failed: 'error',
  worker_failed: 'error',
} as const satisfies Record<string, LogLevel>;
export type EventName = keyof typeof EVENTS;

/** The counters of CloudWatch (infra/alarms.yml). AWS measures the rest itself. */
const COUNTER_OF: Partial<Record<EventName, Counter>> = {
  provider_failed: 'ProviderFailures',
  provider_refused: 'ProviderFailures',
  record_quarantined: 'RecordsSetAside',
  run_failed: 'RunFailures',
  stream_failed: 'StreamFailures',
};

/**
 * Logs and counts an event. If its cause isn't a known error, it is a bug of the service, so an operator must
 * act, whatever the event.
 */
export function report(event: EventName, message: string, fields: LogFields = {}, cause?: unknown): void {
  const isBug = cause !== undefined && knownError(cause) === undefined;
  log[isBug ? 'error' : EVENTS[event]](message, { event, ...fields }, cause);
  countEvent(event, fields);
}

const QUIET_MS = 60_000;
const MAX_REMEMBERED = 1000;
const said = new LRUCache<string, { at: number; repeated: number }>({ max: MAX_REMEMBERED });

/**
 * Does the same as `report`, for events that a caller or an outage may cause at any rate. Logs at most one
 * line per minute and `key`, and 1000 lines per minute for all keys, because a caller may have any number of
 * addresses. The next line of a key states how many were omitted.
 */
export function reportSeldom(event: EventName, key: string, message: string, fields: LogFields): void {
  const place = `${event} ${key}`;
  const last = said.peek(place); // unlike get(), this keeps the order, in which the least recent comes first
  const [oldest] = said.rvalues();
  const isFull = last === undefined && said.size === MAX_REMEMBERED;
  if (isRecent(last) || (isFull && isRecent(oldest))) {
    if (last !== undefined) last.repeated += 1;
    countEvent(event, fields);
    return;
  }
  said.set(place, { at: performance.now(), repeated: 0 });
  report(event, message, { ...fields, ...(last?.repeated && { repeated: last.repeated }) });
}

function isRecent(last: { at: number } | undefined): boolean {
  return last !== undefined && performance.now() - last.at < QUIET_MS;
}

const CHANNEL = 'events';
let counts: Map<EventName, number> | undefined;

function countEvent(event: EventName, fields: LogFields): void {
  const counter = COUNTER_OF[event];
  if (counter !== undefined) count(counter, fields);
  if (counts === undefined) sendEvent(event);
  else addTo(counts, event);
}

/** Notifies the thread that counts. A process without such a thread needs no counts. */
function sendEvent(event: EventName): void {
  const sender = new BroadcastChannel(CHANNEL);
  sender.postMessage(event);
  sender.close();
}

function addTo(sums: Map<EventName, number>, event: EventName): void {
  sums.set(event, (sums.get(event) ?? 0) + 1);
}

/** Starts counting the events of all threads of this process, for a host that shows them as metrics. */
export function countEvents(): void {
  if (counts !== undefined) return;
  const sums = new Map<EventName, number>();
  counts = sums;
  const receiver = new BroadcastChannel(CHANNEL);
  receiver.onmessage = ({ data }) => addTo(sums, data as EventName);
  receiver.unref();
}

/** Returns how often each event happened since countEvents, in all threads. */
export function eventCounts(): [EventName, number][] {
  return (Object.keys(EVENTS) as EventName[]).map((event) => [event, counts?.get(event) ?? 0]);
}
