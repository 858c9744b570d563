import { activities } from '../../../lib/activity/schema.ts';
import { auditEntries } from '../../../lib/audit/schema.ts';
import { conversations, keyOf, messages, searchTerms } from '../../../lib/conversations/schema.ts';
import { newId } from '../../../lib/identifiers.ts';
import { MAX_CONTENT_BYTES } from '../../../lib/notes/create.ts';
import { notePlaces, notes } from '../../../lib/notes/schema.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { daysOfUse } from '../../../lib/usage/schema.ts';
import { worstContents } from './worst-contents.ts';

/** Bytes of a note in addition to its content. */
const NOTE_BYTES = MAX_CONTENT_BYTES - 1024;
const AT_ONCE = 100;

interface Counts {
  notes: number;
  conversations: number;
  messages: number;
  entries: number;
}

/**
 * Stores the typical maximum of a workspace's records after a year: notes and conversations of the largest
 * size, and many small records.
 */
export async function makeWorstRecords(
  records: Records,
  { workspaceId, callerId, counts }: { workspaceId: string; callerId: string; counts: Counts },
): Promise<{ noteIds: Map<string, string>; conversationId: string }> {
  const noteIds = await makeNotes(records, workspaceId, counts.notes);
  const conversationId = await makeConversations(records, workspaceId, callerId, counts);
  await makeEntries(records, workspaceId, callerId, counts.entries);
  return { noteIds, conversationId };
}

const NOW = new Date().toISOString();
const TIMES = { createdAt: NOW, updatedAt: NOW };

async function makeNotes(records: Records, workspaceId: string, count: number): Promise<Map<string, string>> {
  const contents = Object.entries(worstContents(NOTE_BYTES)).map(([path, make]) => ({
    path,
    content: make(),
  }));
  const ids = new Map<string, string>();
  for (let at = 0; at < count; at++) {
    const { path = '', content = '' } = contents[at % contents.length] ?? {};
    const id = newId();
    ids.set(path, id);
    const note = { id, workspaceId, title: path, content: fitted(content), type: 'manual' as const };
    await notes.put(records, { ...note, reportDate: null, ...TIMES });
    await notePlaces.put(records, { id, workspaceId });
  }
  return ids;
}

/** JSON writes a line break as two bytes. */
function fitted(content: string): string {
  const excess = Buffer.byteLength(JSON.stringify(content)) - NOTE_BYTES;
  return excess <= 0 ? content : content.slice(0, content.length - excess);
}

/** The first one is long, and the others have as many searchable words as a conversation may have. */
async function makeConversations(
  records: Records,
  workspaceId: string,
  ownerId: string,
  counts: Counts,
): Promise<string> {
  const ids = Array.from({ length: counts.conversations }, () => newId());
  for (const [at, id] of ids.entries()) {
    const key = keyOf(ownerId, id);
    const length = at === 0 ? counts.messages : 1;
    await conversations.put(records, {
      ...{ id, key, workspaceId, ownerId, title: `Conversation ${at}`, kind: 'chat', mode: null },
      ...{ shared: false, pinned: false, titleGiven: true, messageCount: length, version: 1 },
      ...{ live: [[0, length - 1]], nextPlace: length, stopRequested: false, lastTurnId: null, runId: null },
      ...{
        turnId: null,
        turnUntil: null,
        questionId: null,
        questionPlace: null,
        answerPlace: null,
        ...TIMES,
      },
    });
    const words = Array.from({ length: 5000 }, (_, word) => `w${word}`)
      .join(' ')
      .slice(0, 39_000);
    await searchTerms.put(records, { key, words });
  }
  const [first = ''] = ids;
  const key = keyOf(ownerId, first);
  const text = 'Owls [1] hunt *at `night. '.repeat(770);
  for (let place = 0; place < counts.messages; place++) {
    const parts = JSON.stringify([{ type: 'text', text }]);
    const role = place % 2 === 0 ? ('user' as const) : ('assistant' as const);
    await messages.put(records, { key, place, id: newId(), role, parts, metadata: null, createdAt: NOW });
  }
  return first;
}

async function makeEntries(records: Records, workspaceId: string, callerId: string, count: number) {
  for (let from = 0; from < count; from += AT_ONCE) {
    const places = Array.from({ length: AT_ONCE }, (_, at) => from + at);
    await activities.putMany(
      records,
      places.map((at) => ({
        ...{ id: newId(), workspaceId, kind: 'chat' as const, actor: callerId, createdAt: NOW },
        ...{ summary: `Asked ${at} ${'word '.repeat(50)}`, details: {} },
      })),
    );
    await auditEntries.putMany(
      records,
      places.map((at) => ({
        ...{
          id: newId(),
          at: NOW,
          actor: `actor-${at}`,
          role: 'admin',
          action: 'tokens.create',
          workspaceId,
        },
        ...{ about: 'word '.repeat(300), outcome: 'done' as const, status: null, address: null },
      })),
    );
    await daysOfUse.putMany(
      records,
      places.map((at) => ({
        ...{
          day: NOW.slice(0, 10),
          callerId: `caller-${at}`,
          workspaceId,
          kind: 'chat' as const,
          model: `m${at % 50}`,
        },
        ...{ inputTokens: 1, outputTokens: 1, embeddedTokens: 0, embeddedTexts: 0, rerankedTexts: 0 },
        ...{ estimatedTokens: 0, calls: 1, commandMs: 0 },
        expiresAt: 9e9,
      })),
    );
  }
}
