/**
 * A queue with the promises of SQS: at least once; in no order but fair to groups, or (FIFO) in order within a group with
 * one batch of a group in flight at a time. Handling a message twice must be harmless.
 */
export interface Queue {
  /** Sends any number of messages; throws when one was not accepted after retries (some may then have been sent). */
  send(messages: OutgoingMessage[]): Promise<void>;
  /** Up to `max` (at most 10) messages, hidden from other receivers for the queue's visibility timeout. */
  receive(options: { max: number; waitSeconds?: number }): Promise<ReceivedMessage[]>;
  /** The message is done. Harmless with a receipt that is no longer the latest. */
  delete(receipts: string[]): Promise<void>;
  /**
   * Hides a received message for this long from now; 0 returns it at once. `uncounted` takes the latest receive back, so that
   * it brings the message no closer to the dead letters; SQS cannot do that, and counts it.
   */
  changeVisibility(receipt: string, seconds: number, options?: { uncounted?: boolean }): Promise<void>;
  /** Approximate numbers, for health and tests. */
  depth(): Promise<QueueDepth>;
}

export interface OutgoingMessage {
  /** JSON; up to 64 MB: adapters carry what their queue cannot through the object store. */
  body: unknown;
  /**
   * Required by FIFO queues. On a standard queue whose work it is: where messages of several groups wait, one that sent
   * many holds up no other (fair queues).
   */
  groupId?: string;
  /** FIFO only: the same id within 5 minutes in the same group is accepted and dropped. Default: a new id. */
  deduplicationId?: string;
  /** Standard queues only; at most 900. */
  delaySeconds?: number;
}

export interface ReceivedMessage {
  messageId: string;
  receipt: string;
  /** The JSON text that was sent. */
  body: string;
  groupId?: string;
  /** How many times it was received, this time included. */
  receiveCount: number;
  /** Milliseconds since the epoch. */
  sentAt: number;
}

export interface QueueDepth {
  waiting: number;
  inFlight: number;
  delayed: number;
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
