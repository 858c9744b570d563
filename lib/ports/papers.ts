/** Finds scientific papers in outside sources, and reads them. */
export interface Papers {
  search(query: PaperQuery, options?: { signal?: AbortSignal }): Promise<FoundPapers>;
  /** The text of one paper. Throws UpstreamFailed, InvalidInput for an address that may not be fetched. */
  read(address: PaperAddress, options?: { signal?: AbortSignal }): Promise<PaperText>;
  /** The same with what it was read from, to be kept. */
  fetch(address: PaperAddress, options?: { signal?: AbortSignal }): Promise<PaperFile>;
  /** What a paper refers to, as far as a source knows; none without a DOI and an arXiv id. Throws HubBusy, UpstreamFailed. */
  references(paper: PaperIds, options?: { signal?: AbortSignal }): Promise<Article[]>;
}

export interface PaperIds {
  doi: string | null;
  arxivId: string | null;
}

export const PAPER_SOURCES = ['preprint_server', 'hub_a', 'semantic_scholar', 'openalex'] as const;
export type PaperSource = (typeof PAPER_SOURCES)[number];

export interface PaperQuery extends DateRange {
  /** All of them are to be found; one of several words is a phrase. */
  keywords: string[];
  maxResults: number;
  sources?: PaperSource[] | undefined;
}

/** Both days belong to it, as they are in UTC: `2024-01-31`. */
export interface DateRange {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

export interface FoundPapers {
  articles: Article[];
  /** How many different ones were found, before the cut to maxResults. */
  totalCount: number;
  /** What went wrong, by source; the others' articles are there all the same. */
  errors: Record<string, string>;
}

export interface Article extends Omit<FoundPaper, 'arxivId'> {
  source: PaperSource;
  score: number;
}

export interface PaperAddress {
  url: string;
  pdfUrl?: string | undefined;
}

export interface PaperText {
  /** What was read in the end. */
  url: string;
  text: string;
}

export interface PaperFile extends PaperText {
  bytes: Buffer;
  /** The ending of a file of this kind: `.pdf`. */
  extension: string;
}

/** One outside source of papers. */
export interface Catalog {
  /** For errors: `arXiv`. */
  name: string;
  /**
   * The best first, as the source has them: nothing is cut or checked yet. Throws HubBusy when it may answer later,
   * UpstreamFailed when it will not.
   */
  find(query: CatalogQuery, options: { signal: AbortSignal }): Promise<FoundPaper[]>;
}

export interface CatalogQuery extends DateRange {
  keywords: string[];
  limit: number;
  /** Instead of what has the keywords, what this paper refers to: `DOI:…`, `ARXIV:…`. Only Semantic Scholar is asked so. */
  referencesOf?: string | undefined;
}

/** Whether anybody may read a paper, as far as a source says. */
export interface Access {
  isOpen?: boolean | undefined;
  /** The licence as the source names it: `cc-by`. */
  license?: string | undefined;
}

export interface FoundPaper extends Access {
  /** The source's own. */
  id: string;
  title: string;
  authors: string[];
  abstract: string;
  url: string;
  pdfUrl: string | null;
  /** A day, or a time; of an Article a day. */
  publishedDate: string | null;
  doi: string | null;
  arxivId: string | null;
}
