import { arxivCatalog } from '../../lib/adapters/arxiv/catalog.ts';
import { crossrefCatalog } from '../../lib/adapters/crossref/catalog.ts';
import { huggingFaceCatalog } from '../../lib/adapters/hugging-face/catalog.ts';
import { openAlexCatalog } from '../../lib/adapters/openalex/catalog.ts';
import { semanticScholarCatalog } from '../../lib/adapters/semantic-scholar/catalog.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { type AskPorts, LIMITS } from '../../lib/papers/ask-source.ts';
import { systemClock } from '../../lib/ports/clock.ts';

/** The real clients of all catalogs at a fake. */
export function clientsAt(baseUrl: string) {
  const settings = { baseUrl, trusted: true };
  return {
    preprint_server: arxivCatalog(settings),
    hub_a: huggingFaceCatalog(settings),
    semantic_scholar: semanticScholarCatalog(settings),
    openalex: openAlexCatalog(settings),
    crossref: crossrefCatalog({ ...settings, baseUrl: `${baseUrl}/crossref` }),
  };
}

/** The real sources' clients at one URL, with a shorter rate limit for arXiv. */
export function paperPorts(dataDir: string, baseUrl: string, intervalMs = 50): AskPorts {
  const catalogs = clientsAt(baseUrl);
  return {
    records: sqliteRecords(openDatabase(dataDir)),
    clock: systemClock,
    openCatalog: async (source) => catalogs[source],
    limits: {
      ...LIMITS,
      intervalMs: { preprint_server: intervalMs, semantic_scholar: intervalMs, crossref: intervalMs },
    },
  };
}
