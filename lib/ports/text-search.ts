/** Searches the text of files by regular expression. */
export interface TextSearch {
  /** Throws InvalidInput for an invalid expression; its message names the error. */
  search(search: TextSearchRequest): Promise<TextSearchResult>;
  /** Lists the files that a search would read, in order; `written` omits text that isn't UTF-8. */
  files(files: TextFilesRequest): Promise<{ paths: string[]; truncated: boolean }>;
  /** Searches texts in memory: each match has the number, from 0, of its text. */
  searchTexts(texts: string[], search: TextPattern): Promise<{ matches: HeldMatch[]; truncated: boolean }>;
}

export interface TextFilesRequest extends TextPlace {
  written?: 'not-utf-8';
  timeoutMs: number;
  signal?: AbortSignal;
}

export type HeldMatch = Omit<TextMatch, 'path'> & { index: number };

export interface TextSearchRequest extends TextPlace, TextPattern {
  /** Extensions of files that are skipped, even if named. */
  exclude?: string[];
}

export interface TextPlace {
  /** Absolute directory, links resolved: the search never leaves it, and follows no links. */
  root: string;
  /** Below root, relative; a directory or a file. */
  path: string;
  /** Globs of files to search: `*.ts`. */
  include?: string[];
}

export interface TextPattern {
  /** A regular expression in Rust's regex syntax. */
  pattern: string;
  ignoreCase?: boolean;
  /** True if there are more matches, or the time was over. */
  context?: number;
  maxMatches: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface TextSearchResult {
  matches: TextMatch[];
  /** True if there are more, or the time was over. */
  truncated: boolean;
}

export interface TextMatch {
  /** Relative to root, `/`-separated. */
  path: string;
  /** From 1. */
  line: number;
  /** Truncated at 500 characters. */
  text: string;
  before?: string[];
  after?: string[];
}
