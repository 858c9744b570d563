/** Finds scientific papers in outside sources, and reads them. */
export interface Papers {
  search(query: PaperQuery, options?: { signal?: AbortSignal }): Promise<FoundPapers>;
  /** The text of one paper. Throws UpstreamFailed, InvalidInput for an address that may not be fetched. */
  read(address: PaperAddress, options?: { signal?: AbortSignal }): Promise<PaperText>;
}

export const PAPER_SOURCES = ['preprint_server', 'hub_a', 'semantic_scholar', 'openalex'] as const;
export type PaperSource = (typeof PAPER_SOURCES)[number];

export interface PaperQuery {
  keywords: string[];
  maxResults: number;
  /** `2024-01-31`. */
  dateFrom?: string;
  dateTo?: string;
  sources?: PaperSource[];
}

export interface FoundPapers {
  articles: Article[];
  totalCount: number;
  /** What went wrong, by source; the others' articles are there all the same. */
  errors: Record<string, string>;
}

export interface Article {
  id: string;
  title: string;
  authors: string[];
  abstract: string;
  url: string;
  pdfUrl: string | null;
  publishedDate: string | null;
  source: PaperSource;
  doi: string | null;
  score: number;
}

export interface PaperAddress {
  url: string;
  pdfUrl?: string;
}

export interface PaperText {
  /** What was read in the end. */
  url: string;
  text: string;
}
