import type { Objects } from '../ports/objects.ts';
import type { Papers } from '../ports/papers.ts';
import type { SearchPorts } from '../retrieval/search.ts';
import type { BeginPorts } from '../runs/ports.ts';
import type { Use } from '../usage/schema.ts';

/** Ports for starting the check of a draft, and for reading it. */
export interface BeginCheckPorts extends BeginPorts {
  objects: Objects;
  /** True if a model judges the quotes by default. */
  judgesCitations?: boolean | undefined;
  /** The maximum size in bytes of all stored attachments and drafts of one owner; absent for no limit. */
  attachmentQuotaBytes?: number | undefined;
  /**
   * Milliseconds for which a request waits until its draft is read; by default, the maximum for a request.
   */
  draftReadMs?: number | undefined;
}

/** Ports for carrying out the check of a draft. */
export interface DraftCheckPorts extends BeginCheckPorts {
  searchFor(use: Use): SearchPorts;
  /** Looks up the entries of reference lists. */
  papers: Pick<Papers, 'lookUp' | 'retracted'>;
}
