import { moveSource } from '../../api-contract/note-sources.ts';
import { type MovedQuote, moveCitation, quotesOfAnswer } from '../../conversations/answer-quotes.ts';
import {
  type Conversation,
  conversations,
  messages,
  type StoredMessage,
} from '../../conversations/schema.ts';
import { quotesOfNote } from '../../notes/note-quotes.ts';
import { type Note, notes } from '../../notes/schema.ts';
import { type Records, wasExpected } from '../../ports/records.ts';
import { allWorkspacesOf } from '../../workspaces/all-workspaces.ts';
import { keptQuote } from '../records/keep-quotes.ts';
import type { NewQuote, Quote, QuotingDocument } from '../records/schema.ts';

export type QuotingId = Pick<QuotingDocument, 'workspaceId' | 'document'>;

/** The current state of a stored document. */
export type FoundDocument = { quotes: NewQuote[] } & (
  | { kind: 'note'; note: Note }
  | { kind: 'answer'; conversation: Conversation; message: StoredMessage }
);

/** Reads a document; undefined if it has been deleted or replaced. */
export async function readDocument(
  records: Records,
  { workspaceId, document: { kind, key, place } }: QuotingId,
): Promise<FoundDocument | undefined> {
  if (kind === 'note') {
    const note = await notes.get(records, { workspaceId, id: key });
    return note && { kind, note, quotes: quotesOfNote(note) };
  }
  const [conversation, message] = await Promise.all([
    conversations.get(records, { key }),
    messages.get(records, { key, place }),
  ]);
  if (conversation === undefined || message === undefined) return undefined;
  if (!allWorkspacesOf(conversation).includes(workspaceId)) return undefined;
  return { kind, conversation, message, quotes: quotesOfAnswer(message, conversation, workspaceId) };
}

/** Returns whether the document still has the citation. */
export function hasQuote(
  { quotes }: FoundDocument,
  path: string,
  { index, quote }: Pick<Quote, 'index' | 'quote'>,
): boolean {
  return quotes.some((each) => each.index === index && each.path === path && keptQuote(each.quote) === quote);
}

const MAX_ATTEMPTS = 5;

interface Move extends MovedQuote {
  index: number;
  from: string;
  isSameFile: boolean;
}

/**
 * Changes the places of some citations in a document. Returns false if that isn't possible, or if other changes were
 * faster each time. A note keeps the time of its last change, because no person changed it.
 */
export async function moveQuotes(records: Records, id: QuotingId, moves: Move[]): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found = await readDocument(records, id);
    if (found === undefined) return true;
    const open = moves.filter(({ index, from }) => isIn(found, { index, path: from }));
    if (open.length === 0) return true;
    const moved: Promise<unknown> =
      found.kind === 'note' ? moveInNote(records, found, open) : moveInAnswer(records, found, open);
    if (await wasExpected(moved)) return true;
  }
  return false;
}

function isIn({ quotes }: FoundDocument, id: { index: number; path: string }): boolean {
  return quotes.some(({ index, path }) => index === id.index && path === id.path);
}

function moveInNote(records: Records, { note }: { note: Note }, moves: Move[]) {
  const { updatedAt } = note;
  const content = moves.reduce(
    (text, { index, from, to, isSameFile }) => moveSource(text, { index, path: from }, { ...to, isSameFile }),
    note.content,
  );
  return notes.update(records, note, { set: { content } }, { updatedAt, content: note.content });
}

function moveInAnswer(records: Records, { message }: { message: StoredMessage }, moves: Move[]) {
  const citations = Map.groupBy(moves, ({ index }) => index);
  const parts = [...citations].reduce((json, [index, moved]) => {
    const [{ from, isSameFile }] = moved as [Move];
    return moveCitation(json, { index, path: from }, { moved, isSameFile });
  }, message.parts);
  return messages.update(records, message, { set: { parts } }, { parts: message.parts });
}
