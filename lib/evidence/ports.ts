import type { Objects } from '../ports/objects.ts';
import type { SearchPorts } from '../retrieval/search.ts';
import type { BeginPorts } from '../runs/ports.ts';
import type { Use } from '../usage/schema.ts';

/** Ports for reading the documents of a table. */
export interface ReadTablePorts extends BeginPorts {
  objects: Objects;
  searchFor(use: Use): SearchPorts;
}
