import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tidyPapers } from '../../lib/papers/tidy-papers.ts';
import type { Papers } from '../../lib/ports/papers.ts';
import type { FakePaper } from './fakes/fake-papers.ts';
import { clientsAt } from './papers.ts';

const GOLDEN = join(import.meta.dirname, '../golden/references');

interface Work {
  id: string;
  title: string;
  author: { family?: string; given?: string; literal?: string }[];
  issued: { 'date-parts': [[number]] };
  'container-title'?: string;
  publisher?: string;
  DOI?: string;
  arxiv?: string;
}

/** Real works in CSL-JSON. */
export const works = JSON.parse(readFileSync(join(GOLDEN, 'works.json'), 'utf8')) as Work[];

/** Their entries by citation style and ID, as another program writes them. */
export const lists = JSON.parse(readFileSync(join(GOLDEN, 'lists.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>;

/** Returns a work as catalogs have it. */
export function paperOf(work: Work): FakePaper {
  const venue = work['container-title'] ?? work.publisher;
  return {
    title: work.title,
    authors: work.author.map(
      ({ family, given, literal }) => literal ?? [given, family].filter(Boolean).join(' '),
    ),
    published: `${work.issued['date-parts'][0][0]}-03-15T00:00:00Z`,
    ...(work.DOI !== undefined && { doi: work.DOI.toLowerCase() }),
    ...(work.arxiv !== undefined && { arxivId: work.arxiv }),
    ...(venue !== undefined && { venue }),
  };
}

/** The real clients of the catalogs at a fake, without rate limits and cache. */
export function catalogsAt(baseUrl: string): Pick<Papers, 'lookUp' | 'retracted'> {
  const catalogs = clientsAt(baseUrl);
  const find = async (catalog: keyof typeof catalogs, query: object, signal = new AbortController().signal) =>
    tidyPapers(await catalogs[catalog].find({ keywords: [], limit: 5, ...query }, { signal }), {});
  return {
    lookUp: (catalog, lookUp, options) => find(catalog, { lookUp }, options?.signal),
    retracted: async (retractedOf, options) =>
      (await find('openalex', { retractedOf }, options?.signal)).flatMap(({ doi }) => doi ?? []),
  };
}
