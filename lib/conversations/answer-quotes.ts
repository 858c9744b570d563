import * as z from 'zod';
import { filePartSchema } from '../ports/file-part.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { announceQuotes, keptQuote, settleQuotes } from '../quotations/records/keep-quotes.ts';
import type { DocumentRef, NewQuote } from '../quotations/records/schema.ts';
import { allWorkspacesOf } from '../workspaces/all-workspaces.ts';
import type { Conversation, StoredMessage } from './schema.ts';

const placeSchema = z.object({ startLine: z.int(), endLine: z.int(), quote: z.string() });
/** The fields of a stored citation that are used here. */
const storedCitationSchema = placeSchema.extend({
  index: z.int(),
  workspaceId: z.string().optional(),
  path: z.string().min(1),
  fileHash: z.string(),
  claims: z.array(placeSchema.extend(filePartSchema.shape)).default([]).catch([]),
});

type Cited = Pick<Conversation, 'workspaceId' | 'workspaceIds' | 'key'>;

/** Announces the quotes of messages that are about to be stored, to each workspace that has their files. */
export async function announceAnswers(ports: TimedRecords, conversation: Cited, kept: StoredMessage[]) {
  const announced = [];
  for (const message of kept)
    for (const workspaceId of allWorkspacesOf(conversation)) {
      const quotes = quotesOfAnswer(message, conversation, workspaceId);
      const document: DocumentRef = { kind: 'answer', key: conversation.key, place: message.place };
      const ref = { workspaceId, document };
      const stamp = await announceQuotes(ports, ref, quotes);
      if (stamp !== undefined) announced.push({ ref, quotes, stamp });
    }
  return announced;
}

/** Confirms the quotes of answers once the messages are stored. */
export async function settleAnswers(
  ports: TimedRecords,
  announced: Awaited<ReturnType<typeof announceAnswers>>,
): Promise<void> {
  for (const { ref, quotes, stamp } of announced) await settleQuotes(ports, ref, quotes, stamp);
}

/** Returns the quotes of a stored message's citations that come from files of this workspace. */
export function quotesOfAnswer(
  { role, parts }: Pick<StoredMessage, 'role' | 'parts'>,
  { workspaceId }: Pick<Cited, 'workspaceId'>,
  ofWorkspace: string,
): NewQuote[] {
  if (role !== 'assistant' || !parts.includes('"data-citation"')) return [];
  return (JSON.parse(parts) as { type: string; data?: unknown }[]).flatMap(({ type, data }) => {
    const read = type === 'data-citation' ? storedCitationSchema.safeParse(data) : undefined;
    const isOwn = read?.success && (read.data.workspaceId ?? workspaceId) === ofWorkspace;
    return isOwn ? quotesOfCitation(read.data, partIn(data)) : [];
  });
}

/** If a citation has several sentences, each of its quotes belongs to one of them. */
function quotesOfCitation(
  { claims, ...citation }: z.infer<typeof storedCitationSchema>,
  part: FilePart,
): NewQuote[] {
  const { index, path, fileHash } = citation;
  const ofClaims = claims.map(({ startLine, endLine, quote, ...rest }, claim) => {
    return { index, claim, path, startLine, endLine, quote, part: partIn(rest), fileHash };
  });
  const all = [...ofClaims, { ...citation, part }].filter(({ quote }) => quote !== '');
  const first = (quote: string) => all.findIndex((each) => keptQuote(each.quote) === keptQuote(quote));
  return all.filter(({ quote }, at) => first(quote) === at);
}

type FilePart = z.infer<typeof filePartSchema>;

function partIn(data: unknown): FilePart {
  const read = z.object(filePartSchema.shape).safeParse(data);
  return read.success ? read.data : {};
}

interface NewPlace {
  path: string;
  startLine: number;
  endLine: number;
  part: object;
  fileHash: string;
}

/** A stored quote and its new location. */
export interface MovedQuote {
  quote: string;
  to: NewPlace;
}

interface Moves {
  moved: MovedQuote[];
  /** True if the file was only moved, not changed. */
  isSameFile: boolean;
}

type Data = Record<string, unknown>;

/**
 * Returns the parts of a stored answer with new locations for one citation and its sentences. Either its file
 * was moved, or its quotes were found elsewhere; in the latter case, their support isn't judged.
 */
export function moveCitation(
  parts: string,
  { index, path }: { index: number; path: string },
  moves: Moves,
): string {
  const [first] = moves.moved;
  if (first === undefined) return parts;
  const moved = (JSON.parse(parts) as { type: string; data?: Data }[]).map((each) => {
    const { type, data } = each;
    if (type === 'data-citation' && data?.index === index && data.path === path)
      return { ...each, data: moveData(data, first.to, moves) };
    const isFile = type === 'source-document' && (each as { sourceId?: unknown }).sourceId === String(index);
    return isFile ? { ...each, title: first.to.path, filename: first.to.path } : each;
  });
  return JSON.stringify(moved);
}

function moveData(data: Data, { path, fileHash }: NewPlace, moves: Moves): Data {
  const { claims } = data;
  const moveOne = (one: Data) => {
    const placed = placeAgain(one, moves.moved);
    return moves.isSameFile ? placed : withoutJudgment(placed);
  };
  return {
    ...moveOne(data),
    ...(Array.isArray(claims) && { claims: (claims as Data[]).map(moveOne) }),
    ...{ path, fileHash, stale: false },
  };
}

function placeAgain(one: Data, moved: MovedQuote[]): Data {
  const found = moved.find(({ quote }) => quote === keptQuote(String(one.quote)));
  if (found === undefined) return one;
  const { part, startLine, endLine } = found.to;
  return { ...withoutPart(one), ...part, startLine, endLine };
}

function withoutJudgment(one: Data): Data {
  const { judged: _, ...rest } = one;
  return one.support === 'full' ? { ...rest, support: 'unjudged' } : one;
}

function withoutPart(data: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !(name in filePartSchema.shape)));
}
