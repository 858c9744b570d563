import { type Caller, isAdminOfAll } from '../../access/caller.ts';
import type { Conversation } from '../../conversations/schema.ts';
import type { Records } from '../../ports/records.ts';
import { invalidCursor } from '../../records/cursor.ts';
import type { PageQuery } from '../../records/page.ts';
import { mayReadAll } from '../../workspaces/all-workspaces.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { brokenPartition, brokenSort, type Quote, type QuotedFile, quotedFiles } from '../records/schema.ts';
import { startBudget } from './budget.ts';
import { type FoundDocument, hasQuote, readDocument } from './document.ts';
import { idOf } from './identify.ts';
import type { Relocation } from './relocate.ts';
import type { BrokenCitation, Suggestion } from './schema.ts';
import { type SuggestPorts, suggestPlaces } from './suggest.ts';

const READ_AT_ONCE = 50;
/** The maximum number of documents to read for one page, including those that the caller can't read. */
const MAX_READ = 1000;
/** The maximum number of broken citations on a page that have suggestions. */
export const MAX_SUGGESTIONS = 20;

/**
 * Lists the citations that are no longer valid, latest first, from notes, reports, and conversations that the caller
 * can read.
 */
export async function listBrokenCitations(
  ports: SuggestPorts,
  caller: Caller,
  workspace: Workspace,
  page: PageQuery,
): Promise<{ items: BrokenCitation[]; cursor?: string }> {
  const { items, cursor } = await readPage(ports.records, caller, workspace.id, page);
  const budget = startBudget(workspace.id);
  for (const { item, quoted, quote } of items.slice(0, MAX_SUGGESTIONS)) {
    if (!budget.isLeft()) break;
    const [found] = (await suggestPlaces(ports, workspace, quoted, quote, budget)) ?? [];
    if (found !== undefined) item.suggestion = toSuggestion(found);
  }
  return { items: items.map(({ item }) => item), ...(cursor !== undefined && { cursor }) };
}

export function toSuggestion({ path, place: { part, ...place } }: Relocation): Suggestion {
  return { path, ...place, ...part };
}

/** A broken citation, and the record that it comes from. */
interface Shown {
  item: BrokenCitation;
  quoted: QuotedFile;
  quote: Quote;
}

async function readPage(
  records: Records,
  caller: Caller,
  workspaceId: string,
  { limit, cursor }: PageQuery,
): Promise<{ items: Shown[]; cursor?: string }> {
  const from = cursor === undefined ? undefined : readCursor(cursor);
  const items: Shown[] = [];
  const query = {
    partition: brokenPartition(workspaceId),
    byIndex: true,
    to: from?.sort,
    limit: READ_AT_ONCE,
  };
  let count = 0;
  for await (const quoted of quotedFiles.all(records, { ...query, order: 'descending' })) {
    const sort = brokenSort(quoted);
    if (sort === undefined) continue;
    if (count === MAX_READ) return { items, cursor: writeCursor({ sort, skip: 0 }) };
    count += 1;
    const skip = sort === from?.sort ? from.skip : 0;
    const shown = (await showBroken(records, caller, quoted)).slice(skip);
    const room = limit - items.length;
    items.push(...shown.slice(0, room));
    if (shown.length > room) return { items, cursor: writeCursor({ sort, skip: skip + room }) };
  }
  return { items };
}

/** The next page starts at a document, and skips some of its citations. */
interface Place {
  sort: string;
  skip: number;
}

function writeCursor({ sort, skip }: Place): string {
  return Buffer.from(`${skip}:${sort}`).toString('base64url');
}

function readCursor(cursor: string): Place {
  const [, skip, sort] =
    /^(\d{1,4}):(\d{4}-[^\0]{1,500})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (sort === undefined) throw invalidCursor();
  return { sort, skip: Number(skip) };
}

/**
 * Returns the broken citations of one document and file; none if the caller can't read the document, or the
 * document no longer has them.
 */
async function showBroken(records: Records, caller: Caller, quoted: QuotedFile): Promise<Shown[]> {
  const found = await readDocument(records, quoted);
  if (found === undefined || !(await mayRead(records, caller, found))) return [];
  return quoted.quotes.flatMap((quote) => {
    const { broken } = quote;
    if (broken === null || !hasQuote(found, quoted.path, quote)) return [];
    const { reason, since } = broken;
    const id = idOf(quoted, quote);
    const citation = toCitation(quoted.path, quote);
    const document = describeDocument(found, quoted);
    return [{ item: { id, document, citation, reason, since }, quoted, quote }];
  });
}

export function toCitation(
  path: string,
  { index, part, startLine, endLine, quote, fileHash }: Omit<Quote, 'broken' | 'exact' | 'isCut'>,
): BrokenCitation['citation'] {
  return { index, path, startLine, endLine, ...part, quote, fileHash };
}

/** Names the workspace of a conversation if it isn't that of the cited file. */
export function describeDocument(
  found: FoundDocument,
  { workspaceId: ofFile }: Pick<QuotedFile, 'workspaceId'>,
): BrokenCitation['document'] {
  if (found.kind === 'answer') {
    const { conversation, message } = found;
    const { id, title, workspaceId } = conversation;
    const place = workspaceId !== ofFile && { workspaceId };
    return { kind: 'answer', id, title, messageId: message.id, ...place };
  }
  const { id, title, runId } = found.note;
  return runId === undefined ? { kind: 'note', id, title } : { kind: 'report', id: runId, title, noteId: id };
}

/**
 * Callers with access to the workspace may read its notes, and the conversations that findConversation
 * returns to them: one about several workspaces only if they may read all of these.
 */
export async function mayRead(records: Records, caller: Caller, found: FoundDocument): Promise<boolean> {
  if (found.kind === 'note') return true;
  const { conversation } = found;
  return isOpenTo(caller, conversation) && (await mayReadAll(records, caller, conversation));
}

function isOpenTo(caller: Caller, { kind, ownerId, shared }: Conversation): boolean {
  if (kind === 'bot') return shared || isAdminOfAll(caller);
  return shared || ownerId === caller.id;
}
