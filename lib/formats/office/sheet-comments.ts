import { onOneLine } from '../sheets.ts';
import { textLimit } from '../text-limit.ts';
import type { Archive } from './archive.ts';
import { columnOf, rowOf } from './cells.ts';
import type { Relationship } from './relationships.ts';
import { readXml } from './xml.ts';

export interface Comments {
  /** Returns the comment on a cell, the first time it is called for the cell. */
  take(row: number, column: number): string | undefined;
  /** Returns the comments that weren't taken because their cells are missing. */
  rest(): { at: [row: number, column: number]; comment: string }[];
}

/**
 * The names of the parts with comments. Since 2018, comments are threads, and another part has a copy for
 * older programs.
 */
const PARTS = ['threadedComment', 'comments'];
const ALOUD = new Set(['rPh']);

/** Reads the comments on a sheet's cells. */
export async function readComments(archive: Archive, parts: Relationship[]): Promise<Comments> {
  const byCell = new Map<string, string>();
  for (const type of PARTS) {
    const found = new Map<string, string>();
    for (const part of parts) if (part.type === type) await readCommentsOf(archive, part.entry, found);
    for (const [cell, text] of found) if (!byCell.has(cell)) byCell.set(cell, text);
  }
  return {
    take(row, column) {
      const cell = `${row} ${column}`;
      const text = byCell.get(cell);
      byCell.delete(cell);
      return text;
    },
    rest: () =>
      [...byCell].map(([cell, text]) => {
        const [row = 1, column = 1] = cell.split(' ').map(Number);
        return { at: [row, column], comment: withComment('', text) };
      }),
  };
}

async function readCommentsOf(archive: Archive, entry: string, found: Map<string, string>): Promise<void> {
  const count = textLimit(archive.title);
  let cell = '';
  let text = '';
  await readXml(archive, entry, {
    skip: ALOUD,
    open(name, { ref = '' }) {
      if (!/^(?:threadedC|c)omment$/.test(name)) return;
      cell = `${rowOf(ref) ?? 1} ${columnOf(ref) ?? 1}`;
      text = '';
    },
    text(piece) {
      count(piece);
      text += piece;
    },
    close(name) {
      if (!/^(?:threadedC|c)omment$/.test(name)) return;
      const before = found.get(cell);
      found.set(cell, onOneLine(before === undefined ? text : `${before}; ${text}`));
    },
  });
}

export function withComment(text: string, comment: string | undefined): string {
  return comment ? `${text} [Comment: ${comment}]`.trimStart() : text;
}
