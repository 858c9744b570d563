import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queue } from '../ports/queue.ts';

/** A chain of messages, each sent while the previous one was handled. */
export interface Chain {
  /** Number of messages before the current one; 0 for a message that no worker sent. */
  hops: number;
  /** When the chain's first message was sent, in milliseconds since the epoch; NaN if the queue doesn't report it. */
  since: number;
}

const chain = new AsyncLocalStorage<Chain>();

/**
 * Hops that a chain may have at any age. It may have one more per second of its age: real work that continues
 * in another message takes longer, so a faster chain does nothing, and never ends.
 */
const HASTY_HOPS = 250;

/**
 * Returns whether a chain of messages loops without work. `sentAt` is when its latest message was sent, in
 * milliseconds since the epoch.
 */
export function isRunaway({ hops, since }: Chain, sentAt: number): boolean {
  return hops > HASTY_HOPS + (sentAt - since) / 1000;
}

/**
 * Wraps a queue so that each message contains the length of its chain. Workers send messages to themselves.
 * Lambda would end such chains after 16 rounds, unless configured otherwise; instead, this length limits them
 * (worker.ts).
 */
export function countHops(queue: Queue): Queue {
  return {
    ...queue,
    send: (messages) => queue.send(messages.map((message) => ({ ...message, body: withHops(message.body) }))),
  };
}

function withHops(body: unknown): unknown {
  const current = chain.getStore();
  if (current === undefined || typeof body !== 'object' || body === null) return body;
  const { hops, since } = current;
  return { ...body, hops: hops + 1, chainSince: since };
}

/** Data of a message in addition to its body. */
export interface Carried extends Chain {
  /** The trace that the message belongs to, if tracing is enabled. */
  traceparent?: string;
}

/** Splits a received message into its body and its additional data; `sentAt` is when it was sent. */
export function takeCarried(text: string, sentAt: number): Carried & { body: unknown } {
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null) return { body, hops: 0, since: sentAt };
  const { hops, chainSince, traceparent, ...rest } = body as Record<string, unknown>;
  return {
    body: Array.isArray(body) ? body : rest,
    hops: Number.isInteger(hops) ? (hops as number) : 0,
    since: typeof chainSince === 'number' ? chainSince : sentAt,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  };
}

/** Runs the work so that messages sent during it count one more hop. */
export function asHop<Result>(current: Chain, work: () => Promise<Result>): Promise<Result> {
  return chain.run(current, work);
}
