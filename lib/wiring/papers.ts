import { arxivCatalog } from '../adapters/arxiv/catalog.ts';
import { crossrefCatalog } from '../adapters/crossref/catalog.ts';
import { huggingFaceCatalog } from '../adapters/hugging-face/catalog.ts';
import { openAlexCatalog } from '../adapters/openalex/catalog.ts';
import type { CatalogSettings } from '../adapters/outbound/catalog-request.ts';
import { cacheClients } from '../adapters/outbound/client-cache.ts';
import { semanticScholarCatalog } from '../adapters/semantic-scholar/catalog.ts';
import type { PaperCatalog } from '../api-contract/paper-sources.ts';
import type { Config } from '../config.ts';
import { paperFetcher, paperReader } from '../papers/read.ts';
import { paperLookUp, paperReferences, paperSearch, retractedPapersOf } from '../papers/search.ts';
import type { Catalog, Papers } from '../ports/papers.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { withPaperKeys } from '../settings/stored-keys.ts';
import { HUGGING_FACE_URL } from './hubs.ts';
import { openWeb } from './web.ts';

/** Opens paper search over all sources, through the configured proxies, with the current keys. */
export async function openPapers(
  config: Config,
  { secrets, ...stores }: TimedRecords & { secrets: Secrets },
): Promise<Papers> {
  const openers = catalogOpeners(config);
  const openCatalog = async (source: PaperCatalog) => {
    const { hubs, papers } = await withPaperKeys(config, secrets);
    const settings = {
      preprint_server: papers.arxiv,
      hub_a: { baseUrl: hubs.huggingFace.baseUrl }, // the hub's papers are public; its token is for datasets
      semantic_scholar: papers.semanticScholar,
      openalex: papers.openAlex,
      crossref: papers.crossref,
    };
    return openers[source](settings[source]);
  };
  const ports = { ...stores, openCatalog, web: await openWeb(config), hosts: config.papers.hosts };
  return {
    search: paperSearch(ports),
    read: paperReader(ports),
    fetch: paperFetcher(ports),
    references: paperReferences(ports),
    retracted: retractedPapersOf(ports),
    lookUp: paperLookUp(ports),
  };
}

function catalogOpeners({ proxy }: Config) {
  const opener = (make: (settings: CatalogSettings) => Catalog, fallback: string) =>
    cacheClients(async ({ apiKey, baseUrl }) =>
      make({ baseUrl: baseUrl ?? fallback, token: apiKey, proxy, trusted: baseUrl !== undefined }),
    );
  return {
    preprint_server: opener(arxivCatalog, 'https://export.arxiv.org'),
    hub_a: opener(huggingFaceCatalog, HUGGING_FACE_URL),
    semantic_scholar: opener(semanticScholarCatalog, 'https://api.semanticscholar.org'),
    openalex: opener(openAlexCatalog, 'https://api.openalex.org'),
    crossref: opener(crossrefCatalog, 'https://api.crossref.org'),
  };
}
