import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import { isOwnerAlive, thisProcess } from '../../isolation/is-process-alive.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import { checkMessage } from '../../ports/message-limits.ts';
import type { OutgoingMessage, Queue, QueueName, ReceivedMessage } from '../../ports/queue.ts';
import { report } from '../../telemetry/events.ts';
import type { Database } from './database.ts';

/** The definition of a queue in serverless.yml, in the form of SQS's CreateQueue. */
export interface QueueDefinition {
  name: string;
  fifo: boolean;
  visibilityTimeoutSeconds: number;
  /** Number of receives after which a message goes to the dead-letter queue. */
  maxReceiveCount?: number;
  deadLetterQueue?: string;
}

/** SQS's own deduplication window, in milliseconds. */
const DEDUPLICATION_MS = 5 * 60 * 1000;
/**
 * Milliseconds between two polls of a waiting receiver. A message sent in the same process wakes it
 * immediately.
 */
const LOOK_EVERY_MS = 200;
/**
 * Number of kills of the whole process while a message was in flight, after which the message counts as their
 * cause.
 */
const MAX_CRASHES = 100;

interface QueueRow {
  fifo: number;
  visibility_ms: number;
  max_receive_count: number | null;
  dead_letter_queue: string | null;
}

interface MessageRow {
  sequence: number;
  message_id: string;
  group_id: string | null;
  body: string;
  sent_at: number;
  receive_count: number;
}

/** Creates the queues, and updates the attributes of existing ones. */
export function createQueues(database: Database, definitions: QueueDefinition[]): void {
  database.transaction(() => {
    for (const definition of definitions) {
      database
        .prepare('INSERT OR REPLACE INTO queues VALUES (?, ?, ?, ?, ?)')
        .run(
          definition.name,
          definition.fifo ? 1 : 0,
          Math.round(definition.visibilityTimeoutSeconds * 1000),
          definition.maxReceiveCount ?? null,
          definition.deadLetterQueue ?? null,
        );
    }
  });
}

/** A queue in the SQLite file. Some process must have created it with createQueues. */
export function sqliteQueue(
  database: Database,
  name: QueueName | (string & {}),
  clock: Clock = systemClock,
): Queue {
  const attributes = () => findQueue(database, name);
  const channel = `queue:${name}`;
  const round: RoundRobin = { after: '' };
  return {
    async send(messages) {
      const { fifo } = attributes();
      database.transaction(() => {
        for (const message of messages) insert(database, name, fifo === 1, message, clock.now());
      });
      wake(channel);
    },
    async receive({ max, waitSeconds = 0 }) {
      const until = performance.now() + waitSeconds * 1000;
      attributes(); // throws if there is no such queue
      for (;;) {
        const received = take(database, name, round, {
          max: Math.max(1, Math.min(max, 10)),
          now: clock.now(),
        });
        const left = until - performance.now();
        if (received.length > 0 || left <= 0) return received;
        await wokenOrAfter(channel, Math.min(left, LOOK_EVERY_MS));
      }
    },
    async delete(receipts) {
      const statement = database.prepare('DELETE FROM messages WHERE queue = ? AND receipt = ?');
      database.transaction(() => {
        for (const receipt of receipts) statement.run(name, receipt);
      });
      if (attributes().fifo === 1) wake(channel);
    },
    async changeVisibility(receipt, seconds, { uncounted = false } = {}) {
      database
        .prepare(
          `UPDATE messages SET visible_at = ?, owner = iif(? = 0, NULL, owner), receive_count = max(0, receive_count - ?)
           WHERE queue = ? AND receipt = ?`,
        )
        .run(clock.now() + Math.round(seconds * 1000), seconds, uncounted ? 1 : 0, name, receipt);
      if (seconds === 0) wake(channel);
    },
    depth: async () => measureDepth(database, name, clock.now()),
  };
}

/**
 * Makes messages visible again if their receiver's process has died. The receive doesn't count, because the
 * message didn't cause the kill. Only a message that was in flight at very many kills goes to the dead
 * letters.
 */
export function releaseAbandoned(database: Database): void {
  release(database, (owner) => !isOwnerAlive(owner));
}

/** Does the same for every receiver, because a copy of the file has no running ones. */
export function releaseAll(database: Database): void {
  release(database, () => true);
}

function release(database: Database, isGone: (owner: string) => boolean): void {
  const owners = database.prepare('SELECT DISTINCT owner FROM messages WHERE owner IS NOT NULL').all();
  const dead = (owners as { owner: string }[]).map(({ owner }) => owner).filter(isGone);
  if (dead.length === 0) return;
  database.transaction(() => {
    for (const owner of dead) releaseOf(database, owner);
  });
}

function releaseOf(database: Database, owner: string): void {
  database
    .prepare(
      `UPDATE messages SET visible_at = 0, receipt = NULL, owner = NULL, crash_count = crash_count + 1,
       receive_count = iif(crash_count >= ${MAX_CRASHES}, 1000000, max(0, receive_count - 1)) WHERE owner = ?`,
    )
    .run(owner);
}

function findQueue(database: Database, name: string): QueueRow {
  const row = database.prepare('SELECT * FROM queues WHERE name = ?').get(name);
  if (row === undefined)
    throw new Error(`There is no queue ${name}. The host creates the queues of serverless.yml.`);
  return row as unknown as QueueRow;
}

function insert(
  database: Database,
  queue: string,
  fifo: boolean,
  message: OutgoingMessage,
  now: number,
): void {
  checkMessage(message, fifo);
  if (fifo && isRepeated(database, queue, message, now)) return;
  database
    .prepare(
      `INSERT INTO messages (queue, message_id, group_id, body, sent_at, visible_at) VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(
      queue,
      randomUUID(),
      message.groupId ?? null,
      JSON.stringify(message.body),
      now,
      now + (message.delaySeconds ?? 0) * 1000,
    );
}

/** Returns whether a message repeats one in its group, as in the stack's queues (DeduplicationScope). */
function isRepeated(database: Database, queue: string, message: OutgoingMessage, now: number): boolean {
  if (message.deduplicationId === undefined) return false;
  const id = JSON.stringify([message.groupId, message.deduplicationId]);
  database.prepare('DELETE FROM deduplications WHERE expires_at <= ?').run(now);
  const { changes } = database
    .prepare('INSERT OR IGNORE INTO deduplications VALUES (?, ?, ?)')
    .run(queue, id, now + DEDUPLICATION_MS);
  return changes === 0;
}

/** The group of a receiver's latest round. */
interface RoundRobin {
  after: string;
}

interface Wish {
  max: number;
  now: number;
}

/** Receives messages. First moves those that were received too often to the dead letters. */
function take(database: Database, name: string, round: RoundRobin, { max, now }: Wish): ReceivedMessage[] {
  if (!hasVisible(database, name, now)) return [];
  const queue = findQueue(database, name);
  return database.transaction(() => {
    buryExhausted(database, name, queue, now);
    const mark = (row: MessageRow) => markReceived(database, row, now + queue.visibility_ms);
    if (queue.fifo === 1) return nextOfGroups(database, name, round, { max, now }).map(mark);
    const received: ReceivedMessage[] = [];
    for (let left = max; left > 0; left--) {
      const row = nextInRound(database, name, round, now);
      if (row === undefined) break;
      received.push(mark(row));
    }
    return received;
  });
}

/** Outside any transaction, because an idle queue must not take the write lock. */
function hasVisible(database: Database, name: string, now: number): boolean {
  const row = database
    .prepare('SELECT 1 FROM messages WHERE queue = ? AND visible_at <= ? LIMIT 1')
    .get(name, now);
  return row !== undefined;
}

function buryExhausted(database: Database, name: string, queue: QueueRow, now: number): void {
  if (queue.max_receive_count === null || queue.dead_letter_queue === null) return;
  const { changes } = database
    .prepare(
      `UPDATE messages INDEXED BY messages_by_receives
       SET queue = ?, receive_count = 0, crash_count = 0, receipt = NULL, owner = NULL, visible_at = ?
       WHERE queue = ? AND visible_at <= ? AND receive_count >= ? AND receive_count > 0`,
    )
    .run(queue.dead_letter_queue, now, name, now, queue.max_receive_count);
  if (changes > 0)
    report('message_dead', 'messages were moved to the dead-letter queue', {
      ...{ queue: name, messages: Number(changes) },
    });
}

/**
 * Returns the next messages, round robin over the groups with ready messages. Messages without a group count
 * as a group of their own.
 */
function nextInRound(
  database: Database,
  name: string,
  round: RoundRobin,
  now: number,
): MessageRow | undefined {
  const ofLater = () => nextOfLaterGroup(database, name, round.after, now);
  const row = ofLater() ?? nextWithoutGroup(database, name, now);
  if (row === undefined && round.after !== '') {
    round.after = '';
    return nextInRound(database, name, round, now);
  }
  round.after = row?.group_id ?? '';
  return row;
}

function nextOfLaterGroup(
  database: Database,
  name: string,
  after: string,
  now: number,
): MessageRow | undefined {
  const row = database
    .prepare(
      `SELECT * FROM messages INDEXED BY messages_by_latest
       WHERE queue = ? AND group_id > ? AND visible_at <= ? ORDER BY group_id, visible_at LIMIT 1`,
    )
    .get(name, after, now);
  return row as unknown as MessageRow | undefined;
}

function nextWithoutGroup(database: Database, name: string, now: number): MessageRow | undefined {
  const row = database
    .prepare(
      `SELECT * FROM messages INDEXED BY messages_without_group
       WHERE queue = ? AND group_id IS NULL AND visible_at <= ? ORDER BY visible_at, sequence LIMIT 1`,
    )
    .get(name, now);
  return row as unknown as MessageRow | undefined;
}

/**
 * Returns the next messages, in order within a group. Groups alternate, except those with a message in
 * flight. A batch comes from as few groups as possible. A long group must not delay the others, so this never
 * reads a whole long queue.
 */
function nextOfGroups(database: Database, name: string, round: RoundRobin, { max, now }: Wish): MessageRow[] {
  const ofGroup = database.prepare(
    'SELECT * FROM messages WHERE queue = ? AND group_id = ? ORDER BY sequence LIMIT ?',
  );
  const rows: MessageRow[] = [];
  for (const group of freeGroups(database, name, round.after, { max, now })) {
    if (rows.length === max) break;
    rows.push(...(ofGroup.all(name, group, max - rows.length) as unknown as MessageRow[]));
    round.after = group;
  }
  return rows;
}

/**
 * Returns the groups after the current one, then those before it. The recursion jumps from group to group
 * along the index.
 */
function freeGroups(database: Database, name: string, after: string, { max, now }: Wish): string[] {
  const rows = database
    .prepare(
      `WITH RECURSIVE groups (id) AS (
         SELECT min(group_id) FROM messages WHERE queue = ?1 AND group_id IS NOT NULL
         UNION ALL
         SELECT (SELECT min(group_id) FROM messages WHERE queue = ?1 AND group_id > id) FROM groups WHERE id IS NOT NULL
       )
       SELECT id FROM groups
       WHERE id IS NOT NULL AND (SELECT max(visible_at) FROM messages WHERE queue = ?1 AND group_id = id) <= ?2
       ORDER BY id <= ?4, id LIMIT ?3`,
    )
    .all(name, now, max, after);
  return (rows as { id: string }[]).map(({ id }) => id);
}

function markReceived(database: Database, row: MessageRow, visibleAt: number): ReceivedMessage {
  const receipt = randomUUID();
  database
    .prepare(
      'UPDATE messages SET receipt = ?, owner = ?, visible_at = ?, receive_count = receive_count + 1 WHERE sequence = ?',
    )
    .run(receipt, thisProcess(), visibleAt, row.sequence);
  return {
    messageId: row.message_id,
    receipt,
    body: row.body,
    groupId: row.group_id ?? undefined,
    receiveCount: row.receive_count + 1,
    sentAt: row.sent_at,
  };
}

function measureDepth(database: Database, name: string, now: number) {
  const row = database
    .prepare(
      `SELECT total(visible_at <= ?2) AS waiting, total(visible_at > ?2 AND receipt IS NOT NULL) AS inFlight,
       total(visible_at > ?2 AND receipt IS NULL) AS delayed FROM messages WHERE queue = ?1`,
    )
    .get(name, now) as { waiting: number; inFlight: number; delayed: number };
  return { ...row };
}

function wake(channel: string): void {
  const sender = new BroadcastChannel(channel);
  sender.postMessage(null);
  sender.close();
}

/** Resolves when any thread of this process posts to the channel, or after `milliseconds`. */
function wokenOrAfter(channel: string, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const receiver = new BroadcastChannel(channel);
    const done = () => {
      clearTimeout(timer);
      receiver.close();
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    receiver.onmessage = done;
  });
}
