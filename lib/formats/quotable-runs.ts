import { InvalidInput } from '../errors.ts';
import { type KnownFormat, runReaders } from './all-formats.ts';
import type { ReadRun, RunReader, TextRun } from './format.ts';

/**
 * The stretches of a source that stand in it as they are read, so that a quote within one is an exact substring of it:
 * the text between markup (neighbours joined, entities left out), the whole where there is none. None for markup that
 * is not indexed either.
 */
export function quotableRuns(format: KnownFormat, source: string): TextRun[] {
  if (format.content !== 'markup') return [{ start: 0, end: source.length }];
  const joined: TextRun[] = [];
  for (const { start, end, text } of readableRuns(runReaders[format.name], source)) {
    if (source.slice(start, end) !== text) continue;
    const last = joined.at(-1);
    if (last?.end === start) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

function readableRuns(read: RunReader, source: string): ReadRun[] {
  try {
    return read(source);
  } catch (error) {
    if (error instanceof InvalidInput) return [];
    throw error;
  }
}
