import type { Queue } from '../ports/queue.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Web } from '../ports/web.ts';
import type { WebSearch } from '../ports/web-search.ts';

/** Ports for saving pages as files. */
export interface SavePagePorts extends TimedRecords {
  touchQueue: Queue;
}

/** Ports for searching the web, and for reading the pages that are found. */
export interface WebSearchPorts extends SavePagePorts {
  web: Web;
  webSearch: WebSearch;
}
