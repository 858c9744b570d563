import type { PaperCatalog, PaperSource } from '../api-contract/paper-sources.ts';

/** Finds scientific papers in external sources, and reads them. */
export interface Papers {
  search(query: PaperQuery, options?: { signal?: AbortSignal }): Promise<FoundPapers>;
  /**
   * Returns the text of a paper. Throws UpstreamFailed, and InvalidInput for a URL that may not be fetched.
   */
  read(address: PaperAddress, options?: { signal?: AbortSignal }): Promise<PaperText>;
  /** Returns the text with its source file, to be saved. */
  fetch(address: PaperAddress, options?: { signal?: AbortSignal }): Promise<PaperFile>;
  /**
   * Returns the references of a paper that a source knows; none if the paper has neither a DOI nor an arXiv
   * ID. Throws HubBusy, UpstreamFailed.
   */
  references(paper: PaperIds, options?: { signal?: AbortSignal }): Promise<Article[]>;
  /** Returns which of at most 50 DOIs OpenAlex lists as retracted. Throws HubBusy, UpstreamFailed. */
  retracted(dois: string[], options?: { signal?: AbortSignal }): Promise<string[]>;
  /** Returns the papers of one catalog that a reference may name, with their details. Throws HubBusy, UpstreamFailed. */
  lookUp(
    catalog: PaperCatalog,
    wanted: PaperLookUp,
    options?: { signal?: AbortSignal },
  ): Promise<FoundPaper[]>;
}

/** What a reference says of its paper: an identifier, or a title with the whole reference. */
export type PaperLookUp = { doi: string } | { arxivId: string } | { title: string; reference: string };

/** What a catalog knows of a paper that was looked up, in addition to the first title and date. */
export interface PaperDetails {
  /** Further titles, such as the original one, or one with its subtitle. */
  titles: string[];
  /** Years in which it appeared: online, in print, as a preprint. */
  years: number[];
  /** Names of its journal, proceedings, and publisher. */
  venues: string[];
  isRetracted: boolean;
}

interface PaperIds {
  doi: string | null;
  arxivId: string | null;
}

export interface PaperQuery extends DateRange {
  /** All keywords must match. A keyword of several words is a phrase. */
  keywords: string[];
  maxResults: number;
  sources?: PaperSource[] | undefined;
}

/** Both days are inclusive, in UTC: `2024-01-31`. */
export interface DateRange {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

export interface FoundPapers {
  articles: Article[];
  /** Number of distinct papers found, before the limit of maxResults. */
  totalCount: number;
  /** Failures by source; the articles of the other sources are still included. */
  errors: Record<string, string>;
}

export interface Article extends Omit<FoundPaper, 'arxivId' | 'details'> {
  source: PaperSource;
  score: number;
}

export interface PaperAddress {
  url: string;
  pdfUrl?: string | undefined;
}

export interface PaperText {
  /** The final URL of the text. */
  url: string;
  text: string;
}

export interface PaperFile extends PaperText {
  bytes: Buffer;
  /** The file name extension: `.pdf`. */
  extension: string;
}

/** One external source of papers. */
export interface Catalog {
  /** The name for error messages: `arXiv`. */
  name: string;
  /**
   * Returns papers in the order of the source, best first, before limits and checks. Throws HubBusy if the source may
   * answer later, UpstreamFailed if it won't.
   */
  find(query: CatalogQuery, options: { signal: AbortSignal }): Promise<FoundPaper[]>;
}

export interface CatalogQuery extends DateRange {
  keywords: string[];
  limit: number;
  /** Requests the references of this paper (`DOI:…`, `ARXIV:…`) instead of keyword matches. Semantic Scholar only. */
  referencesOf?: string | undefined;
  /** Requests which papers with these DOIs are retracted, instead of keyword matches. OpenAlex only. */
  retractedOf?: string[] | undefined;
  /** Requests the paper of a reference instead. */
  lookUp?: PaperLookUp | undefined;
}

/** A paper's open access status, if a source knows it. */
export interface Access {
  isOpen?: boolean | undefined;
  /** The license as the source names it: `cc-by`. */
  license?: string | undefined;
}

export interface FoundPaper extends Access {
  /** The source's own ID. */
  id: string;
  title: string;
  authors: string[];
  abstract: string;
  url: string;
  pdfUrl: string | null;
  /** A day or a time. For an Article, always a day. */
  publishedDate: string | null;
  doi: string | null;
  arxivId: string | null;
  /** Only for papers that were looked up. */
  details?: PaperDetails | undefined;
}
