import { InvalidInput, TooLarge } from '../errors.ts';
import { MAX_DRAFT_SENTENCES, type ReadDraft } from './draft/draft.ts';
import { readDraft } from './draft/read-draft.ts';
import { MAX_DRAFT_CHARACTERS } from './request-schema.ts';

/** What is read, for whom, and how long at most. */
interface Wanted {
  name: string;
  bytes: Uint8Array;
  workspaceId: string;
  signal?: AbortSignal | undefined;
}

/** Reads a draft within the limits of a check. Throws InvalidInput, TooLarge, Unreadable, and the signal's reason. */
export async function readBounded({ name, bytes, workspaceId, signal }: Wanted): Promise<ReadDraft> {
  const draft = await readDraft(name, bytes, workspaceId, signal);
  const { text, sentences } = draft;
  if (sentences.length === 0) throw new InvalidInput('draft_empty', 'The draft has no text.');
  if (text.length > MAX_DRAFT_CHARACTERS)
    throw new TooLarge('draft_too_large', `The draft has more than ${MAX_DRAFT_CHARACTERS} characters.`);
  if (sentences.length > MAX_DRAFT_SENTENCES)
    throw new TooLarge(
      'draft_too_large',
      `The draft has ${sentences.length} sentences, and the limit is ${MAX_DRAFT_SENTENCES}. Check it in parts.`,
    );
  return draft;
}

/** API Gateway ends a request after 45 s, to which a cold start belongs. */
const IN_TIME_MS = 20_000;

/** The same within the time of a request; undefined for a draft that takes longer. */
export async function readInTime(
  wanted: Wanted,
  timeMs: number = IN_TIME_MS,
): Promise<ReadDraft | undefined> {
  const signal = AbortSignal.timeout(timeMs);
  return readBounded({ ...wanted, signal }).catch((error: unknown) => {
    if (signal.aborted && error === signal.reason) return undefined;
    throw error;
  });
}
