import type { FilePart } from '../../ports/file-part.ts';
import type { Passage } from '../../ports/vectors.ts';

const PASSAGE_COLUMNS = [
  'path',
  'file_hash',
  'text',
  'chunk',
  'start_line',
  'end_line',
  'start_char',
  'end_char',
];
/** Columns that depend on the layout: tables of layout 1 have `page`, all others have the other two. */
const LAYOUT_COLUMNS = ['part', 'context', 'page'];

/** Returns the key of a passage's row. */
export function rowId({ path, chunk }: Pick<Passage, 'path' | 'chunk'>): string {
  return `${path}#${chunk}`;
}

/** Returns a table's columns of a passage. */
export function storedColumns(schema: { fields: { name: string }[] }): string[] {
  const has = new Set(schema.fields.map(({ name }) => name));
  return [...PASSAGE_COLUMNS, ...LAYOUT_COLUMNS.filter((name) => has.has(name))];
}

interface StoredPassage {
  path: string;
  file_hash: string;
  text: string;
  chunk: number;
  start_line: number;
  end_line: number;
  start_char: number;
  end_char: number;
  part?: string;
  /** 0 if the file has no pages. */
  page?: number;
  context?: string;
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
    part: toPart(stored),
    context: stored.context ?? '',
  };
}

function toPart({ part, page = 0 }: StoredPassage): FilePart {
  if (part !== undefined) return JSON.parse(part);
  return page === 0 ? {} : { page };
}

export type { StoredPassage };
