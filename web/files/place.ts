import { searchTexts } from '../shell/search-texts.ts';
import type { Mark } from './quote-marks.ts';

/** The location in the files, as in the URL: the open file, and the position in it. */
export interface FilesSearch {
  path?: string | undefined;
  /** First and last line to mark, such as `12-20`, of the file, or of its indexed text. */
  lines?: string | undefined;
  /** The page, from 1, for a file that has pages. */
  page?: number | undefined;
  /** The words to mark there. */
  quote?: string | undefined;
  /** True if the file is being edited. */
  edit?: boolean | undefined;
}

/** Maximum characters of a quote. A longer one would make a URL that is truncated in transit. */
const MAX_QUOTE = 600;

export function readFilesSearch({ page, edit, ...search }: Record<string, unknown>): FilesSearch {
  return {
    ...searchTexts('path', 'lines', 'quote')(search),
    page: typeof page === 'number' && Number.isInteger(page) && page > 0 ? page : undefined,
    edit: edit === true ? edit : undefined,
  };
}

/** Returns the mark in a URL; undefined for a file that is only opened. */
export function markOf({ lines, page, quote }: FilesSearch): Mark | undefined {
  const found = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(lines ?? '');
  if (found === null && page === undefined && quote === undefined) return undefined;
  const from = Math.max(1, Number(found?.[1] ?? 1));
  return {
    from,
    to: Math.max(from, Number(found?.[2] ?? from)),
    ...(quote !== undefined && { quote }),
    ...(page !== undefined && { page }),
  };
}

export interface Passage {
  path: string;
  startLine: number;
  endLine: number;
  page?: number | undefined;
  text: string;
}

/** Returns the URL parameters with which a passage is marked in its file. */
export function placeOf({ path, startLine, endLine, page, text }: Passage): FilesSearch {
  const quote = text.length > MAX_QUOTE ? text.slice(0, text.lastIndexOf(' ', MAX_QUOTE)) : text;
  return {
    path,
    lines: `${startLine}-${endLine}`,
    ...(page !== undefined && { page }),
    ...(quote.trim() !== '' && { quote }),
  };
}
