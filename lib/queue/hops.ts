import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queue } from '../ports/queue.ts';

/** How many messages, each sent while the one before was handled, led to what is being handled now. */
const chain = new AsyncLocalStorage<number>();

/**
 * A queue that writes on each message how far its chain is. Workers send to themselves, and Lambda ends such chains after 16
 * rounds unless it is told to let them be: then this number is what bounds them (worker.ts).
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

/** What a message carries beside what was sent. */
export interface Carried {
  /** How far its chain is; 0 for one that no worker sent. */
  hops: number;
  /** The trace that it belongs to, where there are traces. */
  traceparent?: string;
}

/** A message as it was sent, and what it carries. */
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

/** What is sent in here comes one round later. */
export function asHop<Result>(hops: number, work: () => Promise<Result>): Promise<Result> {
  return chain.run(hops, work);
}
