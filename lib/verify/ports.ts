import type { Objects } from '../ports/objects.ts';
import type { SearchPorts } from '../retrieval/search.ts';
import type { BeginPorts } from '../runs/ports.ts';
import type { Use } from '../usage/schema.ts';

/** Ports for starting the check of a draft, and for reading it. */
export interface BeginCheckPorts extends BeginPorts {
  objects: Objects;
  /** Whether a model judges the quotes if the request doesn't say. */
  judgesCitations?: boolean | undefined;
  /** Bytes that all kept attachments and drafts of one owner may have; absent: no limit. */
  attachmentQuotaBytes?: number | undefined;
  /** Milliseconds that a request waits until its draft is read; by default, as long as a request may take. */
  draftReadMs?: number | undefined;
}

/** Ports for working on it. */
export interface DraftCheckPorts extends BeginCheckPorts {
  searchFor(use: Use): SearchPorts;
}
