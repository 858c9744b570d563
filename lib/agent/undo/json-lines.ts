import { open, readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { shareThread } from '../../async/share-thread.ts';
import { noneIfMissing } from '../../paths/file-errors.ts';

/**
 * Appends lines, starting with a line break, so that a line that a killed process left incomplete spoils no
 * other. Resolves when the lines are on disk.
 */
export async function writeLines(place: string, lines: unknown[], flags: 'a' | 'w' = 'a'): Promise<void> {
  await using handle = await open(place, flags, 0o600);
  await handle.appendFile(lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
  await handle.sync();
}

/** Calls `take` with each complete line. */
export async function readLines<Line>(
  place: string,
  schema: z.ZodType<Line>,
  take: (line: Line) => void,
): Promise<void> {
  const share = shareThread();
  const text = await readFile(place, 'utf8').catch(noneIfMissing);
  for (const line of text?.split('\n') ?? []) {
    await share();
    const { data } = schema.safeParse(parseOrNone(line));
    if (data !== undefined) take(data);
  }
}

/** Returns undefined for a line that a kill left incomplete. */
export function parseOrNone(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
