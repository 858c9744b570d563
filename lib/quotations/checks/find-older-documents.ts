import * as z from 'zod';
import { answerRef, quotesOfAnswer } from '../../conversations/answer-quotes.ts';
import { readMessages } from '../../conversations/messages.ts';
import { conversations, members, membersPartition } from '../../conversations/schema.ts';
import { noteRef, quotesOfNote } from '../../notes/note-quotes.ts';
import { notes, notesPartition } from '../../notes/schema.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';
import { workspaces } from '../../workspaces/schema.ts';
import { announceQuotes, storeQuotes } from '../records/keep-quotes.ts';
import { type NewQuote, quotingDocuments } from '../records/schema.ts';
import type { QuotingId } from './document.ts';

/** How far the documents of before this release were read, over all workspaces. */
const olderDocuments = collection({
  kind: 'older-documents',
  schema: z.object({
    /** The page of workspaces that is read. */
    page: z.string().nullable(),
    /** The workspaces of the page that are done. */
    doneIds: z.array(z.string()),
    kind: z.enum(['note', 'answer']),
    /** Where the list of the next workspace's documents continues. */
    cursor: z.string().nullable(),
    done: z.boolean(),
  }),
  key: (_: object) => ({ partition: 'QUOTING_OLDER', sort: 'ALL' }),
});
type Walk = NonNullable<Awaited<ReturnType<typeof olderDocuments.get>>>;

const BEGIN: Walk = { page: null, doneIds: [], kind: 'note', cursor: null, done: false };
const WORKSPACES_AT_ONCE = 100;
/** Notes and conversations have up to 400 KB, and conversations up to 1,000 messages. */
const DOCUMENTS_AT_ONCE = 20;
const TIME_MS = 5000;

/**
 * For the minute tick: stores the quotes of documents that an earlier release wrote, a few per minute, once. Documents that are
 * written in the meantime store their own. Cut short, it reads a page again.
 */
export async function findOlderDocuments(ports: TimedRecords): Promise<void> {
  const until = performance.now() + TIME_MS;
  let walk = (await olderDocuments.get(ports.records, {})) ?? BEGIN;
  while (!walk.done && performance.now() < until) {
    walk = await advance(ports, walk);
    await olderDocuments.put(ports.records, walk);
  }
}

async function advance(ports: TimedRecords, walk: Walk): Promise<Walk> {
  const query = { partition: 'WORKSPACE', limit: WORKSPACES_AT_ONCE, cursor: walk.page ?? undefined };
  const { items, cursor: nextPage } = await workspaces.list(ports.records, query);
  const workspace = items.find(({ id }) => !walk.doneIds.includes(id));
  if (workspace === undefined)
    return nextPage === undefined ? { ...BEGIN, done: true } : { ...BEGIN, page: nextPage };
  const readPage = walk.kind === 'note' ? readNotes : readConversations;
  const cursor = await readPage(ports, workspace.id, walk.cursor ?? undefined);
  if (cursor !== undefined) return { ...walk, cursor };
  if (walk.kind === 'note') return { ...walk, kind: 'answer', cursor: null };
  return { ...walk, kind: 'note', cursor: null, doneIds: [...walk.doneIds, workspace.id] };
}

async function readNotes(ports: TimedRecords, workspaceId: string, cursor: string | undefined) {
  const query = { partition: notesPartition(workspaceId), limit: DOCUMENTS_AT_ONCE, cursor };
  const page = await notes.list(ports.records, query);
  for (const note of page.items) await storeOlder(ports, noteRef(note), quotesOfNote(note));
  return page.cursor;
}

async function readConversations(ports: TimedRecords, workspaceId: string, cursor: string | undefined) {
  const { records } = ports;
  const query = { partition: membersPartition(workspaceId), limit: DOCUMENTS_AT_ONCE, cursor };
  const page = await members.list(records, query);
  for (const conversation of await conversations.getMany(records, page.items))
    for (const message of await readMessages(records, conversation))
      await storeOlder(ports, answerRef(conversation, message.place), quotesOfAnswer(message));
  return page.cursor;
}

async function storeOlder(ports: TimedRecords, id: QuotingId, quotes: NewQuote[]): Promise<void> {
  if (quotes.length === 0 || (await quotingDocuments.get(ports.records, id)) !== undefined) return;
  const stamp = await announceQuotes(ports, id, quotes);
  if (stamp !== undefined) await storeQuotes(ports, id, quotes, stamp);
}
