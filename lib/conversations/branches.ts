import type { Records } from '../ports/records.ts';
import { hasPlace, lastPlace, onlyLive, readAllMessages, toMessage, withCount } from './messages.ts';
import type { Conversation, Message, StoredMessage } from './schema.ts';

/** Every message names the one before it, so the messages of a conversation form a tree. */

/**
 * Returns the positions from the conversation's start to this one, as ranges. `all` has the stored messages.
 */
export function branchTo(all: readonly StoredMessage[], place: number | null): Conversation['live'] {
  const parents = new Map(all.map((message) => [message.place, message.parent ?? null]));
  const ranges: Conversation['live'] = [];
  for (let at = place; at !== null; at = earlier(parents.get(at), at)) {
    const [next] = ranges;
    if (next?.[0] === at + 1) next[0] = at;
    else ranges.unshift([at, at]);
  }
  return ranges;
}

/** A parent has an earlier position, so this ends even in a damaged conversation. */
function earlier(parent: number | null | undefined, place: number): number | null {
  return parent == null || parent >= place ? null : parent;
}

/** Returns the end of the branch that a person continued last, at or below this position. */
export function leafBelow(all: readonly StoredMessage[], place: number): number {
  const newestChild = new Map(all.map((message) => [message.parent ?? null, message.place]));
  let leaf = place;
  for (let child = newestChild.get(leaf); child !== undefined && child > leaf; child = newestChild.get(leaf))
    leaf = child;
  return leaf;
}

/**
 * Returns the conversation with its chosen branch. If a process died before it stored the branch's last
 * question, returns the branch that the question would have continued or replaced.
 */
export function withChosenBranch(conversation: Conversation, all: readonly StoredMessage[]): Conversation {
  const { live, turnId } = conversation;
  const isStored = all.some(({ place }) => place === lastPlace(live));
  if (isStored || turnId !== null) return conversation;
  const last = all.findLast(({ place }) => hasPlace(live, place));
  const chosen = last === undefined ? all.at(-1)?.place : leafBelow(all, last.place);
  return { ...conversation, ...withCount(branchTo(all, chosen ?? null)) };
}

/** Returns the messages of the chosen branch, oldest first. */
export async function readMessages(records: Records, conversation: Conversation): Promise<StoredMessage[]> {
  const all = await readAllMessages(records, conversation);
  return onlyLive(withChosenBranch(conversation, all), all);
}

/** A message as the API shows it. */
type PlacedMessage = Message & { parentId: string | null };

/**
 * Returns the messages of the chosen branch, or all messages, oldest first, with the alternatives to each
 * message of the chosen branch.
 */
export async function readBranches(
  records: Records,
  conversation: Conversation,
  whose: 'chosen' | 'all',
): Promise<{ messages: PlacedMessage[]; branches: Record<string, string[]> }> {
  const all = await readAllMessages(records, conversation);
  const chosen = withChosenBranch(conversation, all);
  const shown = whose === 'all' ? all : onlyLive(chosen, all);
  return { messages: withParents(all, shown), branches: alternatives(chosen, all) };
}

/**
 * Returns the messages, each with the ID of the message before it. `all` has the stored messages, and `shown`
 * is a part of them.
 */
function withParents(all: readonly StoredMessage[], shown: readonly StoredMessage[]): PlacedMessage[] {
  const ids = new Map(all.map(({ place, id }) => [place, id]));
  return shown.map((message) => ({ ...toMessage(message), parentId: ids.get(message.parent ?? -1) ?? null }));
}

/**
 * Returns the IDs of all alternatives for each message of the chosen branch that has any. They include the
 * message itself, oldest first.
 */
function alternatives(
  { live }: Pick<Conversation, 'live'>,
  all: readonly StoredMessage[],
): Record<string, string[]> {
  const groups = Map.groupBy(all, ({ parent, role }) => `${parent} ${role}`);
  const several = [...groups.values()].filter((group) => group.length > 1);
  return Object.fromEntries(
    several.flatMap((group) => {
      const chosen = group.find(({ place }) => hasPlace(live, place));
      return chosen === undefined ? [] : [[chosen.id, group.map(({ id }) => id)]];
    }),
  );
}

/**
 * Returns the message that a client means by this ID. An edited question gets a new ID, but the page in which
 * it was edited still uses the earlier one. Of several edits, the latest in the chosen branch counts.
 */
export function findMeant(
  { live }: Pick<Conversation, 'live'>,
  stored: readonly StoredMessage[],
  id: string | undefined,
): StoredMessage | undefined {
  if (id === undefined) return undefined;
  const chosen = stored.filter(({ place }) => hasPlace(live, place));
  return (
    chosen.findLast((message) => message.knownAs === id) ??
    chosen.find((message) => message.id === id) ??
    stored.find((message) => message.id === id)
  );
}
