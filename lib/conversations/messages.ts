import type { Records } from '../ports/records.ts';
import { beginning } from '../text/cut-text.ts';
import {
  type Conversation,
  conversationPartition,
  MESSAGES,
  type Message,
  messages,
  type StoredMessage,
} from './schema.ts';

/**
 * The maximum size of a message in bytes. A record has at most 400 KB, of which the data around the parts takes some.
 */
const MAX_MESSAGE_BYTES = 350_000;

/** Returns the messages of all branches, each with its parent, in the order in which they were added. */
export async function readAllMessages(
  records: Records,
  { key }: Pick<Conversation, 'key'>,
): Promise<StoredMessage[]> {
  const query = { partition: conversationPartition(key), sortPrefix: MESSAGES, limit: 200 };
  const found: StoredMessage[] = [];
  for await (const message of messages.all(records, query))
    found.push({ ...message, parent: parentOf(message, found.at(-1)) });
  return found;
}

/** Messages of 1.0.0-rc.1 name no parent, because a conversation had only one branch. */
function parentOf({ parent }: StoredMessage, previous: StoredMessage | undefined): number | null {
  return parent === undefined ? (previous?.place ?? null) : parent;
}

/** Returns the latest messages stored under a key, oldest first. Some of them may be of other branches. */
export async function readLatest(records: Records, key: string, limit: number): Promise<StoredMessage[]> {
  const query = { partition: conversationPartition(key), sortPrefix: MESSAGES, limit };
  const { items } = await messages.list(records, { ...query, order: 'descending' });
  const found = items.reverse();
  return found.map((message, at) => {
    const isFirst = at === 0 && found.length === limit;
    return isFirst ? message : { ...message, parent: parentOf(message, found[at - 1]) };
  });
}

export function onlyLive(
  { live }: Pick<Conversation, 'live'>,
  found: readonly StoredMessage[],
): StoredMessage[] {
  return found.filter(({ place }) => hasPlace(live, place));
}

export function hasPlace(live: Conversation['live'], place: number): boolean {
  return live.some(([from, to]) => place >= from && place <= to);
}

/** Returns the ranges with one more position at their end. */
export function withPlace(live: Conversation['live'], place: number): Conversation['live'] {
  const last = live.at(-1);
  if (last === undefined || last[1] !== place - 1) return [...live, [place, place]];
  return [...live.slice(0, -1), [last[0], place]];
}

/** Returns the last position; null if there is none. */
export function lastPlace(live: Conversation['live']): number | null {
  return live.at(-1)?.[1] ?? null;
}

/** Returns the ranges without this position and all later ones. */
export function before(live: Conversation['live'], place: number): Conversation['live'] {
  return live.flatMap(([from, to]): Conversation['live'] => {
    return from < place ? [[from, Math.min(to, place - 1)]] : [];
  });
}

/** Returns the ranges and their number of messages, as in the head. */
export function withCount(live: Conversation['live']): Pick<Conversation, 'live' | 'messageCount'> {
  return { live, messageCount: countPlaces(live) };
}

export function countPlaces(live: Conversation['live']): number {
  return live.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/** Returns the message as clients get it. */
export function toMessage({ id, role, parts, metadata }: StoredMessage): Message {
  const message = { id, role, parts: JSON.parse(parts) as Message['parts'] };
  return metadata === null ? message : { ...message, metadata: JSON.parse(metadata) };
}

export function toStored(
  { id, role, parts, metadata }: Message,
  at: Pick<StoredMessage, 'key' | 'place' | 'parent' | 'createdAt' | 'knownAs'>,
): StoredMessage {
  const kept = metadata === undefined ? null : JSON.stringify(metadata);
  return { ...at, id, role, parts: fitParts(parts), metadata: kept };
}

/**
 * Shortens the largest part until everything fits into the record. A text loses its end, a tool its input or output.
 */
function fitParts(parts: Message['parts']): string {
  const json = JSON.stringify(parts);
  if (Buffer.byteLength(json) <= MAX_MESSAGE_BYTES) return json;
  const sizes = parts.map((part) => JSON.stringify(part).length);
  const largest = sizes.indexOf(Math.max(...sizes));
  return fitParts(parts.flatMap((part, at) => (at === largest ? shorten(part) : [part])));
}

function shorten(part: Message['parts'][number]): Message['parts'] {
  if (typeof part.text === 'string' && part.text.length > 1)
    return [{ ...part, text: beginning(part.text, Math.floor(part.text.length / 2)) }];
  const long = (['output', 'input'] as const).find((name) => JSON.stringify(part[name] ?? '').length > 100);
  return long === undefined ? [] : [{ ...part, [long]: 'too long to be kept' }];
}

export function textOf({ parts }: Message): string {
  return parts.flatMap(({ type, text }) => (type === 'text' ? [String(text ?? '')] : [])).join('\n');
}
