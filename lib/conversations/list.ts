import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Caller, isAdminOfAll } from '../access/caller.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { invalidCursor } from '../records/cursor.ts';
import type { PageQuery } from '../records/page.ts';
import { onlyReadable } from '../workspaces/all-workspaces.ts';
import {
  botsPartition,
  type Conversation,
  conversations,
  listSort,
  ownPartition,
  sharedPartition,
} from './schema.ts';
import { withMatchingTerms } from './search-terms.ts';
import { turnLeases } from './turn/lease.ts';

/** The number of conversations to read at once for a search for words, and the maximum per response. */
const LOOK_AT_ONCE = 100;
const MAX_LOOKED_AT = 500;
const PLACE = /^[01]#[\dTZ:.-]{24}#[\w-]{43}$/;

interface Page {
  items: Conversation[];
  cursor?: string;
}

/**
 * Returns a page of a workspace's conversations: the caller's own, shared ones, and for global administrators
 * those of bots. Pinned ones come first, then the others by their latest question. A search for words may end
 * a page before its limit if it has read many conversations.
 */
export async function listConversations(
  records: Records,
  caller: Caller,
  { workspaceId, q, limit, cursor }: PageQuery & { workspaceId: string; q?: string | undefined },
): Promise<Page> {
  const ofBots = isAdminOfAll(caller) ? [botsPartition(workspaceId)] : [];
  const partitions = [ownPartition(workspaceId, caller.id), sharedPartition(workspaceId), ...ofBots];
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const only = (found: Conversation[]) => onlyReadable(records, caller, found);
  if (q === undefined || q === '') {
    const page = await newest(records, partitions, { limit, after });
    return { ...page, items: await only(page.items) };
  }
  return search(records, partitions, { q, limit, after, only });
}

interface Searched {
  q: string;
  limit: number;
  after: string | undefined;
  /** Returns those of the conversations that the caller may read. */
  only: (found: Conversation[]) => Promise<Conversation[]>;
}

async function search(
  records: Records,
  partitions: string[],
  { q, limit, after, only }: Searched,
): Promise<Page> {
  const items: Conversation[] = [];
  let from = after;
  for (let looked = 0; looked < MAX_LOOKED_AT; looked += LOOK_AT_ONCE) {
    const page = await newest(records, partitions, { limit: LOOK_AT_ONCE, after: from });
    for (const found of await withMatchingTerms(records, await only(page.items), q)) {
      if (items.length === limit) return { items, cursor: cursorAfter(items.at(-1) as Conversation) };
      items.push(found);
    }
    if (page.cursor === undefined) return { items };
    from = readCursor(page.cursor);
    await nextTurn();
  }
  return { items, cursor: toCursor(from ?? '') };
}

/** Merges several partitions of the index into one list. */
async function newest(
  records: Records,
  partitions: string[],
  { limit, after }: { limit: number; after: string | undefined },
): Promise<Page> {
  // One item more than the page has shows whether others follow. The cursor's own item is returned again.
  const query = {
    byIndex: true,
    order: 'descending' as const,
    limit: limit + 2,
    ...(after && { to: after }),
  };
  const lists = await Promise.all(
    partitions.map((partition) => conversations.list(records, { ...query, partition })),
  );
  // A store may end a page early. An item after that end may sort before others that weren't read yet.
  const ends = lists.flatMap(({ items, cursor }) => (cursor === undefined ? [] : items.slice(-1)));
  const readTo = ends.map(listSort).sort().at(-1) ?? '';
  const found = lists
    .flatMap(({ items }) => items)
    .filter((item) => listSort(item) >= readTo && (after === undefined || listSort(item) < after))
    .sort((one, other) => (listSort(one) < listSort(other) ? 1 : -1));
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const isMore = found.length > limit || readTo !== '';
  return isMore && last !== undefined ? { items, cursor: cursorAfter(last) } : { items };
}

function cursorAfter(conversation: Conversation): string {
  return toCursor(listSort(conversation));
}

function toCursor(place: string): string {
  return Buffer.from(place).toString('base64url');
}

function readCursor(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString();
  if (!PLACE.test(place)) throw invalidCursor();
  return place;
}

/** Returns the conversation as the API shows it. */
export function describeConversation({ clock }: Pick<TimedRecords, 'clock'>, conversation: Conversation) {
  const { workspaceIds } = conversation;
  const { id, workspaceId, title, kind, mode, ownerId, shared, pinned, createdAt, updatedAt } = conversation;
  const { messageCount, failed } = conversation;
  const answering = turnLeases.isHeld(conversation, clock);
  const described = {
    id,
    workspaceId,
    ...(workspaceIds && { workspaceIds }),
    title,
    kind,
    mode,
    ownerId,
    shared,
    pinned,
    messageCount,
  };
  return { ...described, createdAt, updatedAt, answering, ...(failed && { failed }) };
}
