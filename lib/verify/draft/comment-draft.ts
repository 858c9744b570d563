import { runIsolated } from '../../isolation/run-isolated.ts';
import type { DraftComment } from './comment-docx.ts';
import { DRAFT_TIMEOUT_MS, explained } from './read-draft.ts';

/** Larger than any file that may be added, with its comments. */
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;

/**
 * Returns a DOCX file with comments on places of its text, as `readDraft()` reports them. Everything else in it stays the same, byte
 * by byte. Throws Unreadable for an encrypted or damaged file, and for one that unpacks to too much.
 */
export async function commentDraft(
  bytes: Uint8Array,
  comments: DraftComment[],
  whose = '',
): Promise<Uint8Array> {
  const { program } = await import('./draft-program.ts');
  const options = { timeoutMs: DRAFT_TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES, whose };
  const input = { bytes, comments, at: new Date() };
  return runIsolated(program, 'commentDocx', input, options).catch((error: unknown) => {
    throw explained(error, bytes);
  });
}
