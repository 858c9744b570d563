/** Searches the text of files by regular expression. */
export interface TextSearch {
  /** Throws InvalidInput for an expression that is not valid; its message says what is wrong. */
  search(search: TextSearchRequest): Promise<TextSearchResult>;
  /** The files that a search would look at, in order; `written` leaves only text that is not UTF-8. */
  files(files: TextFilesRequest): Promise<{ paths: string[]; truncated: boolean }>;
  /** The same search of texts that are held: each match with the text, from 0, that it stands in. */
  searchTexts(texts: string[], search: TextPattern): Promise<{ matches: HeldMatch[]; truncated: boolean }>;
}

export interface TextFilesRequest extends TextPlace {
  written?: 'not-utf-8';
  timeoutMs: number;
  signal?: AbortSignal;
}

export type HeldMatch = Omit<TextMatch, 'path'> & { index: number };

export interface TextSearchRequest extends TextPlace, TextPattern {
  /** Extensions of files that are passed over, be they named or not. */
  exclude?: string[];
}

export interface TextPlace {
  /** Absolute directory, links resolved: the search never leaves it, and follows no links. */
  root: string;
  /** Below root, relative; a directory or a file. */
  path: string;
  /** Globs of files to look at: `*.ts`. */
  include?: string[];
}

export interface TextPattern {
  /** A regular expression of Rust's regex syntax. */
  pattern: string;
  ignoreCase?: boolean;
  /** Lines shown before and after a match. */
  context?: number;
  maxMatches: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface TextSearchResult {
  matches: TextMatch[];
  /** True when there are more, or the time was up. */
  truncated: boolean;
}

export interface TextMatch {
  /** Relative to root, `/`-separated. */
  path: string;
  /** From 1. */
  line: number;
  /** Cut at 500 characters. */
  text: string;
  before?: string[];
  after?: string[];
}
