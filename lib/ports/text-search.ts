/** Searches the text of files by regular expression. */
export interface TextSearch {
  /** Throws InvalidInput for an invalid expression, with a message that names the error. */
  search(search: TextSearchRequest): Promise<TextSearchResult>;
  /** Lists the files that a search would read, in order. `written` omits text that isn't UTF-8. */
  files(files: TextFilesRequest): Promise<{ paths: string[]; truncated: boolean }>;
  /** Searches texts in memory; each match has the index of its text. */
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
  /** Absolute directory with its links resolved. The search never leaves it and follows no links. */
  root: string;
  /** A directory or a file, relative to the root. */
  path: string;
  /** Globs of files to search: `*.ts`. */
  include?: string[];
}

export interface TextPattern {
  /** A regular expression in Rust's regex syntax. */
  pattern: string;
  ignoreCase?: boolean;
  /** Number of context lines around each match. */
  context?: number;
  maxMatches: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface TextSearchResult {
  matches: TextMatch[];
  /** True if there are more results, or the time was up. */
  truncated: boolean;
}

export interface TextMatch {
  /** Path relative to the root, with `/` as separator. */
  path: string;
  /** Line number, from 1. */
  line: number;
  /** The line, truncated at 500 characters. */
  text: string;
  before?: string[];
  after?: string[];
}
