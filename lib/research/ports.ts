import type { TouchPorts } from '../indexing/enqueue.ts';
import type { Objects } from '../ports/objects.ts';
import type { Papers } from '../ports/papers.ts';
import type { Web } from '../ports/web.ts';
import type { SearchPorts } from '../retrieval/search.ts';
import type { BeginPorts } from '../runs/ports.ts';
import type { Use } from '../usage/schema.ts';
import type { WebSearchPorts } from '../web-search/ports.ts';

/** Ports for working on a report. */
export interface ResearchPorts extends BeginPorts, TouchPorts {
  objects: Objects;
  searchFor(use: Use): SearchPorts;
  papers: Papers;
  web: Web;
  /** Absent if web search isn't configured. */
  webSearch?: { webFor(use: Use): WebSearchPorts } | undefined;
}
