import * as z from 'zod';
import { filePartSchema } from '../ports/file-part.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { announceQuotes, dropQuotes, settleQuotes } from '../quotations/keep-quotes.ts';
import type { DocumentRef, NewQuote } from '../quotations/schema.ts';
import type { Conversation, StoredMessage } from './schema.ts';

/** A citation as any release stored it. */
const storedCitationSchema = z.object({
  index: z.int(),
  path: z.string().min(1),
  startLine: z.int(),
  endLine: z.int(),
  quote: z.string().min(1),
  fileHash: z.string(),
});

export function answerRef(
  { workspaceId, key }: Pick<Conversation, 'workspaceId' | 'key'>,
  place: number,
): { workspaceId: string; document: DocumentRef } {
  return { workspaceId, document: { kind: 'answer', key, place } };
}

/** Announces the quotes of several messages that are going to be stored. */
export async function announceAnswers(
  ports: TimedRecords,
  conversation: Pick<Conversation, 'workspaceId' | 'key'>,
  kept: StoredMessage[],
) {
  const announced = [];
  for (const message of kept) {
    const quotes = quotesOfAnswer(message);
    const ref = answerRef(conversation, message.place);
    const stamp = await announceQuotes(ports, ref, quotes);
    if (stamp !== undefined) announced.push({ ref, quotes, stamp });
  }
  return announced;
}

/** Stores them, once the messages are. */
export async function settleAnswers(
  ports: TimedRecords,
  announced: Awaited<ReturnType<typeof announceAnswers>>,
): Promise<void> {
  for (const { ref, quotes, stamp } of announced) await settleQuotes(ports, ref, quotes, stamp);
}

/** Removes what is known of the quotes of answers that were replaced. */
export async function dropAnswerQuotes(
  records: Records,
  conversation: Pick<Conversation, 'workspaceId' | 'key'>,
  replaced: { place: number }[],
): Promise<void> {
  await dropQuotes(
    records,
    replaced.map(({ place }) => answerRef(conversation, place)),
  );
}

/** Returns the quotes in the citations of a stored message. */
export function quotesOfAnswer({ role, parts }: Pick<StoredMessage, 'role' | 'parts'>): NewQuote[] {
  if (role !== 'assistant' || !parts.includes('"data-citation"')) return [];
  return (JSON.parse(parts) as { type: string; data?: unknown }[]).flatMap(({ type, data }) => {
    const read = type === 'data-citation' ? storedCitationSchema.safeParse(data) : undefined;
    return read?.success ? [{ ...read.data, part: partIn(data) }] : [];
  });
}

function partIn(data: unknown): z.infer<typeof filePartSchema> {
  const read = z.object(filePartSchema.shape).safeParse(data);
  return read.success ? read.data : {};
}

export interface NewPlace {
  path: string;
  startLine: number;
  endLine: number;
  part: object;
  fileHash: string;
}

/** Returns the parts of a stored answer with another place of one citation: its file was moved, or its quote was found elsewhere. */
export function moveCitation(
  parts: string,
  { index, path }: { index: number; path: string },
  { part, ...place }: NewPlace,
): string {
  const moved = (JSON.parse(parts) as { type: string; data?: Record<string, unknown> }[]).map((each) => {
    const { type, data } = each;
    if (type === 'data-citation' && data?.index === index && data.path === path)
      return { ...each, data: { ...withoutPart(data), ...part, ...place, stale: false } };
    const isFile = type === 'source-document' && (each as { sourceId?: unknown }).sourceId === String(index);
    return isFile ? { ...each, title: place.path, filename: place.path } : each;
  });
  return JSON.stringify(moved);
}

function withoutPart(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !(name in filePartSchema.shape)));
}
