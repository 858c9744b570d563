import type { ScoredPassage } from '../../../lib/ports/vectors.ts';

/** Returns a passage as a search does. Of its location, only the length of its text is correct. */
export function foundPassage(path: string, text = path, score = 1, context = ''): ScoredPassage {
  const place = { startLine: 1, endLine: 1, startChar: 0, endChar: text.length };
  return { path, text, score, context, chunk: 0, fileHash: 'h', part: {}, ...place };
}
