import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queue } from '../ports/queue.ts';

/** How many messages, each sent while the previous one was handled, led to the current one. */
const chain = new AsyncLocalStorage<number>();

/**
 * Wraps a queue so that each message carries the length of its chain. Workers send to themselves, and Lambda ends such chains
 * after 16 rounds unless told otherwise: then this number limits them (worker.ts).
 */
export function countHops(queue: Queue): Queue {
  return {
    ...queue,
    send: (messages) => queue.send(messages.map((message) => ({ ...message, body: withHops(message.body) }))),
  };
}

function withHops(body: unknown): unknown {
  const hops = chain.getStore();
  if (hops === undefined || typeof body !== 'object' || body === null) return body;
  return { ...body, hops: hops + 1 };
}

/** Data of a message in addition to its body. */
export interface Carried {
  /** The length of its chain; 0 for a message that no worker sent. */
  hops: number;
  /** The trace that it belongs to, if tracing is on. */
  traceparent?: string;
}

/** Splits a received message into its body and what it carries. */
export function takeCarried(text: string): Carried & { body: unknown } {
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null) return { body, hops: 0 };
  const { hops, traceparent, ...rest } = body as Record<string, unknown>;
  return {
    body: Array.isArray(body) ? body : rest,
    hops: Number.isInteger(hops) ? (hops as number) : 0,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  };
}

/** Messages sent during this work count one round more. */
export function asHop<Result>(hops: number, work: () => Promise<Result>): Promise<Result> {
  return chain.run(hops, work);
}
