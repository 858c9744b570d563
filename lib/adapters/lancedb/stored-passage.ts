import type { Passage } from '../../ports/vectors.ts';

export const PASSAGE_COLUMNS = [
  'path',
  'file_hash',
  'text',
  'chunk',
  'start_line',
  'end_line',
  'start_char',
  'end_char',
  'page',
];

interface StoredPassage {
  path: string;
  file_hash: string;
  text: string;
  chunk: number;
  start_line: number;
  end_line: number;
  start_char: number;
  end_char: number;
  page: number;
}

export function toPassage(stored: StoredPassage): Passage {
  return {
    path: stored.path,
    chunk: stored.chunk,
    fileHash: stored.file_hash,
    text: stored.text,
    startLine: stored.start_line,
    endLine: stored.end_line,
    startChar: stored.start_char,
    endChar: stored.end_char,
    page: stored.page === 0 ? null : stored.page,
  };
}

export type { StoredPassage };
