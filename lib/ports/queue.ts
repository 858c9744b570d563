/**
 * A queue with the guarantees of SQS. Delivery is at least once: on a standard queue, unordered but fair to
 * groups; on a FIFO queue, in order within a group, with one batch per group in flight. Message handlers must
 * be idempotent.
 */
export interface Queue {
  /**
   * Sends any number of messages. Throws if one wasn't accepted after retries. Some may have been sent by
   * then.
   */
  send(messages: OutgoingMessage[]): Promise<void>;
  /** Returns up to `max` (at most 10) messages, hidden from other receivers for the queue's visibility timeout. */
  receive(options: { max: number; waitSeconds?: number }): Promise<ReceivedMessage[]>;
  /** Marks messages as done. Does nothing for a receipt that is no longer the latest. */
  delete(receipts: string[]): Promise<void>;
  /**
   * Hides a received message for this long from now; 0 makes it visible immediately. `uncounted` cancels the
   * latest receive, so that it doesn't count toward the dead-letter queue. SQS doesn't support that, and
   * counts it.
   */
  changeVisibility(receipt: string, seconds: number, options?: { uncounted?: boolean }): Promise<void>;
  /** Returns approximate counts, for health checks and tests. */
  depth(): Promise<QueueDepth>;
}

export interface OutgoingMessage {
  /** JSON of up to 64 MB. Adapters store bodies that their queue can't carry in the object store. */
  body: unknown;
  /**
   * Required by FIFO queues. On a standard queue, it is the owner of the work, so that a group with many
   * messages doesn't delay other groups (fair queues).
   */
  groupId?: string;
  /**
   * FIFO only: a message with the same ID within 5 minutes in the same group is accepted and dropped. Default: a new
   * ID.
   */
  deduplicationId?: string;
  /** Standard queues only; at most 900 seconds. */
  delaySeconds?: number;
}

export interface ReceivedMessage {
  messageId: string;
  receipt: string;
  /** The JSON text that was sent. */
  body: string;
  groupId?: string;
  /** How many times the message was received, including this time. */
  receiveCount: number;
  /** Milliseconds since the epoch. */
  sentAt: number;
}

export interface QueueDepth {
  waiting: number;
  inFlight: number;
  delayed: number;
}

/** A queue of a single host, for metrics. */
export interface QueueState {
  name: string;
  /** True for a dead-letter queue, whose messages failed too often. No worker receives them. */
  isDead: boolean;
  waiting: number;
  /** Messages that are being handled, or wait for another attempt. */
  hidden: number;
  /** Seconds for which the oldest waiting message has waited for a worker. */
  waitsSeconds: number;
}

/** The queues of the service, by the names that serverless.yml and the adapters share. */
export type QueueName =
  | 'index'
  | 'touch'
  | 'commit'
  | 'maintain'
  | 'upload'
  | 'agent'
  | 'task'
  | 'dataset'
  | 'bot';
