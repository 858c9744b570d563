import { setTimeout as pause } from 'node:timers/promises';
import { retry } from '../../async/retry.ts';
import type { ModelEvent, ModelRequest, OwnServer } from '../../ports/language-model.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { isOwnNetwork } from './model-address.ts';
import { takeSlot } from './model-slots.ts';
import { type PatienceLimits, STALL_MS } from './patient-stream.ts';
import { codesOf } from './provider-failure.ts';

export interface OwnServerSettings extends PatienceLimits {
  baseUrl?: string | undefined;
  /**
   * Milliseconds that a server on this host or in its network may take for the first token, and for each
   * pause. Undefined means the same limits as for a provider.
   */
  ownPatienceMs?: number | undefined;
}

/** A server that sends only pings gets this many times the limit, because pings alone are no progress. */
const PINGS = 3;
const SAID_AFTER_MS = 3000;
const MAX_TRIES = 3;
const REFUSED_PAUSE_MS = 500;
const MAX_RETRY_AFTER_MS = 30_000;

export interface CallRules {
  isOwn: boolean;
  limits: PatienceLimits;
  /** The SDK's retries; undefined means its default. */
  maxRetries?: 0;
}

/**
 * Returns the limits of a call. A self-hosted server is slow, and may have to read a prompt a second time, so
 * it gets more time, and the request isn't repeated.
 */
async function callRules({ baseUrl, ownPatienceMs, ...limits }: OwnServerSettings): Promise<CallRules> {
  if (baseUrl === undefined || ownPatienceMs === undefined || !(await isOwnNetwork(baseUrl)))
    return { isOwn: false, limits };
  return {
    isOwn: true,
    limits: { stallMs: ownPatienceMs, pauseMs: PINGS * ownPatienceMs, ...limits },
    maxRetries: 0,
  };
}

/** The options of an SDK call. */
export function callOptions({ limits, maxRetries }: CallRules, signal: AbortSignal) {
  const timeout = limits.stallMs ?? STALL_MS;
  return { signal, timeout, ...(maxRetries !== undefined && { maxRetries }) };
}

/**
 * Sends a request. Retries it only if the server hasn't accepted it: it was unreachable, or it says when to
 * retry.
 */
export function sendUntilTaken<Answer>(
  { isOwn }: CallRules,
  send: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  return isOwn ? retry(send, { waitAfter: pauseBefore, maxTries: MAX_TRIES, signal }) : send();
}

function pauseBefore(error: unknown): number | undefined {
  if (codesOf(error).includes('ECONNREFUSED')) return REFUSED_PAUSE_MS;
  const { status = 0, headers } = error as { status?: number; headers?: Headers };
  if (status < 500) return undefined; // openWithinLimit() waits for rate limits
  const asked = Number(headers?.get('retry-after-ms') ?? 1000 * Number(headers?.get('retry-after') ?? 0));
  return asked > 0 && asked <= MAX_RETRY_AFTER_MS ? asked : undefined;
}

/**
 * Yields the events of a call once it has its turn at the server. A `live` reader gets a `waiting` event if
 * the first token takes long.
 */
export async function* inTurn(
  settings: OwnServerSettings,
  request: ModelRequest,
  stream: (rules: CallRules, request: ModelRequest) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  const rules = await callRules(settings);
  const { baseUrl } = settings;
  if (!rules.isOwn || baseUrl === undefined) return yield* stream(rules, request);
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, ...(request.signal ? [request.signal] : [])]);
  const events = eventsInSlot(baseUrl, { ...request, signal }, leaving, () =>
    stream(rules, { ...request, signal }),
  );
  let next = events.next();
  next.catch(() => undefined); // awaited below, unless the reader leaves first
  try {
    if (request.reader === 'live') yield* tellOfWait(next, request);
    for (let event = await next; !event.done; event = await next) {
      yield event.value;
      next = events.next();
    }
  } finally {
    leaving.abort(); // the reader may leave before anything arrives
    void events.return(undefined);
  }
}

async function* eventsInSlot(
  baseUrl: string,
  request: ModelRequest,
  leaving: AbortController,
  stream: () => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  const tokens = tokensOf(request);
  const slot = await takeSlot(baseUrl, request, (reason) => leaving.abort(reason));
  let sentAt: number | undefined = performance.now();
  try {
    for await (const event of stream()) {
      slot.answers();
      if (sentAt !== undefined) noteSpeed(baseUrl, tokens / (performance.now() - sentAt));
      sentAt = undefined;
      yield event;
    }
  } catch (error) {
    throw slot.stopped() ?? error;
  } finally {
    slot.free();
  }
}

async function* tellOfWait(first: Promise<unknown>, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const over = new AbortController();
  const come = first.then(
    () => true,
    () => true,
  );
  const late = pause(SAID_AFTER_MS, false, { signal: over.signal }).catch(() => true);
  const isThere = await Promise.race([come, late]);
  over.abort();
  if (!isThere) yield { type: 'waiting', tokens: tokensOf(request) };
}

function tokensOf({ system, messages, tools = [] }: ModelRequest): number {
  return estimateTokens(JSON.stringify([system, messages, tools], withoutPicture));
}

function withoutPicture(name: string, value: unknown): unknown {
  return name === 'picture' ? undefined : value;
}

/**
 * Tokens per second of the slowest recent prompt, by server. The server reads a prompt faster if it starts
 * like the previous one.
 */
const speeds = new Map<string, number[]>();
const REMEMBERED = 5;

function noteSpeed(baseUrl: string, tokensPerMs: number): void {
  speeds.set(baseUrl, [...(speeds.get(baseUrl) ?? []), 1000 * tokensPerMs].slice(-REMEMBERED));
}

/** Returns the limits for a server in the operator's network; undefined for any other server. */
export async function ownServer(settings: OwnServerSettings): Promise<OwnServer | undefined> {
  const { isOwn, limits } = await callRules(settings);
  if (!isOwn) return undefined;
  const known = speeds.get(settings.baseUrl ?? '');
  return { patienceMs: limits.stallMs ?? STALL_MS, tokensReadPerSecond: known && Math.min(...known) };
}
