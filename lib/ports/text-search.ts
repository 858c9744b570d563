/** Searches the text of files by regular expression. */
export interface TextSearch {
  /** Throws InvalidInput for an expression that is not valid; its message says what is wrong. */
  search(search: TextSearchRequest): Promise<TextSearchResult>;
}

export interface TextSearchRequest {
  /** Absolute directory, links resolved: the search never leaves it, and follows no links. */
  root: string;
  /** Below root, relative; a directory or a file. */
  path: string;
  /** A regular expression of Rust's regex syntax. */
  pattern: string;
  /** Globs of files to look at: `*.ts`. */
  include?: string[];
  ignoreCase?: boolean;
  /** Lines shown before and after a match. */
  context?: number;
  maxMatches: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface TextSearchResult {
  matches: TextMatch[];
  /** There are more, or the time was up. */
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
