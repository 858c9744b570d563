import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { foldForSearch } from '../../../lib/api-contract/fold-text.ts';
import type { PaperCatalog, PaperSource } from '../../../lib/api-contract/paper-sources.ts';
import { whenDone } from '../temp-folder.ts';

export interface FakePaper {
  title: string;
  /** `YYYY-MM-DDTHH:MM:SSZ`; sources with days only truncate it. */
  published: string | null;
  arxivId?: string;
  doi?: string;
  authors?: string[];
  abstract?: string;
  /** Its open-access URL in Semantic Scholar and OpenAlex. */
  pdfUrl?: string;
  isOpen?: boolean;
  license?: string;
  /** Only for papers that are looked up. */
  subtitle?: string;
  venue?: string;
  /** Years in which it appeared online and in print, which Crossref has. */
  online?: number;
  printed?: number;
  isRetracted?: boolean;
}

/**
 * No result, a status, no response at all, invalid JSON or an invalid feed, JSON or XML in another format, an
 * unexpected empty page, or an error in the feed.
 */
export type PaperFault = 'none' | number | 'mute' | 'garbage' | 'strange' | 'empty' | 'refused' | 'redirect';

export interface FakeRequest {
  source: PaperCatalog;
  /** When it arrived, in milliseconds since the epoch. */
  at: number;
  url: URL;
  headers: IncomingMessage['headers'];
}

export interface FakePapers {
  url: string;
  papers: Record<PaperCatalog, FakePaper[]>;
  /** DOIs of other agencies, which Crossref names without describing the papers. */
  otherAgencies: string[];
  /** DOIs that were replaced by another one, to which Crossref redirects. */
  replaced: Record<string, string>;
  /** References of papers, by the ID in the request: `ARXIV:2401.00001`. Semantic Scholar has them. */
  references: Record<string, FakePaper[]>;
  /** Faults, in order; the last one stays. */
  faults: Partial<Record<PaperCatalog, PaperFault[]>>;
  requests: FakeRequest[];
  /** Maximum number of concurrent requests to arXiv. */
  mostAtOnce: number;
  delayMs: number;
  /** Seconds, sent with every status except 200. */
  retryAfter: number;
}

const PATHS: Record<string, PaperCatalog> = {
  '/api/query': 'preprint_server',
  '/api/papers/search': 'hub_a',
  '/graph/v1/paper/search': 'semantic_scholar',
  '/works': 'openalex',
};

/** Paths with an identifier, and the source of each. */
const LOOK_UPS: [RegExp, PaperCatalog][] = [
  [/^\/crossref\/works(?:\/|$)/, 'crossref'],
  [/^\/graph\/v1\/paper\/(?:DOI|ARXIV):/, 'semantic_scholar'],
];

const REFERENCES = /^\/graph\/v1\/paper\/(.+)\/references$/;

/**
 * The documented protocols of arXiv (https://info.arxiv.org/help/api/user-manual.html), Hugging Face
 * (`/api/papers/search`), Semantic Scholar (https://api.semanticscholar.org/api-docs/graph), and OpenAlex
 * (https://docs.openalex.org) on one port, with papers in one format.
 */
export async function startFakePapers(papers: Partial<FakePapers['papers']> = {}): Promise<FakePapers> {
  const fake: FakePapers = {
    url: '',
    papers: { preprint_server: [], hub_a: [], semantic_scholar: [], openalex: [], crossref: [], ...papers },
    otherAgencies: [],
    replaced: {},
    references: {},
    faults: {},
    requests: [],
    mostAtOnce: 0,
    delayMs: 0,
    retryAfter: 1,
  };
  let atOnce = 0;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', fake.url);
    const source = sourceOf(url.pathname);
    if (source === undefined) return void response.writeHead(404).end();
    fake.requests.push({ source, at: Date.now(), url, headers: request.headers });
    if (source === 'preprint_server') {
      fake.mostAtOnce = Math.max(fake.mostAtOnce, ++atOnce);
      response.once('close', () => --atOnce);
    }
    if (fake.delayMs > 0) await pause(fake.delayMs);
    answer(fake, source, url, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  whenDone(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return fake;
}

function sourceOf(path: string): PaperCatalog | undefined {
  if (REFERENCES.test(path)) return 'semantic_scholar';
  return PATHS[path] ?? LOOK_UPS.find(([form]) => form.test(path))?.[1];
}

/** All sources at the fake's URL. */
export function paperEnv({ url }: FakePapers): Record<string, string> {
  return {
    ARXIV_BASE_URL: url,
    HUB_A_BASE_URL: url,
    SEMANTIC_SCHOLAR_BASE_URL: url,
    OPENALEX_BASE_URL: url,
    CROSSREF_BASE_URL: `${url}/crossref`,
  };
}

function answer(fake: FakePapers, source: PaperCatalog, url: URL, response: ServerResponse): void {
  const faults = fake.faults[source] ?? [];
  const fault = faults.length > 1 ? faults.shift() : faults[0];
  if (fault === 'mute') return;
  if (fault === 'redirect') return void response.writeHead(302, { location: '/api/query' }).end();
  if (typeof fault === 'number') {
    return void response.writeHead(fault, { 'retry-after': `${fake.retryAfter}` }).end('no');
  }
  if (fault === 'garbage') return void response.end('<<<');
  if (fault === 'strange') return void response.end(source === 'preprint_server' ? '<html/>' : '{"data":7}');
  const replacement = fake.replaced[decodeURIComponent(url.pathname.replace('/crossref/works/', ''))];
  if (source === 'crossref' && replacement !== undefined) {
    const location = `/crossref/works/${encodeURIComponent(replacement)}`;
    return void response.writeHead(301, { location }).end();
  }
  response.end(bodyOf(fake, source, url, response, fault));
}

/** Returns the body, and sets a status other than 200. */
function bodyOf(
  fake: FakePapers,
  source: PaperCatalog,
  url: URL,
  response: ServerResponse,
  fault?: PaperFault,
): string {
  const path = decodeURIComponent(url.pathname);
  const [, cited] = REFERENCES.exec(url.pathname) ?? [];
  if (cited !== undefined) return referencesJson(fake.references[cited] ?? []);
  const named = source === 'crossref' ? worksJson(fake, url) : scholarById(fake, path);
  if (named === null) response.statusCode = 404;
  if (named !== undefined) return named ?? 'Not found.';
  const render = { preprint_server: atom, hub_a: hubJson, semantic_scholar: scholarJson, openalex: alexJson };
  return render[source as PaperSource](fake.papers[source], url.searchParams, fault);
}

/** Null if Semantic Scholar has no such paper; undefined for a path without an ID. */
function scholarById({ papers }: FakePapers, path: string): string | null | undefined {
  const [, id] = /^\/graph\/v1\/paper\/((?:DOI|ARXIV):.+)$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  const paper = papers.semantic_scholar.find(
    (one) => id === `DOI:${one.doi}` || id === `ARXIV:${one.arxivId}`,
  );
  return paper === undefined ? null : JSON.stringify(scholarPaper(paper));
}

/** `all:"a phrase" AND … AND submittedDate:[from TO to]`; the bounds are minutes, and inclusive. */
function atom(papers: FakePaper[], query: URLSearchParams, fault?: PaperFault): string {
  const asked = query.get('search_query') ?? '';
  const phrases = [...asked.matchAll(/all:"([^"]*)"/g)].map(([, phrase = '']) => phrase);
  const [, from = '0', to = '9'] = /submittedDate:\[(\d{12}) TO (\d{12})\]/.exec(asked) ?? [];
  const [ids] = [query.get('id_list')];
  const [, titled] = /^ti:"([^"]*)"$/.exec(asked) ?? [];
  const found = papers.filter((paper) => {
    if (ids !== null) return paper.arxivId === ids;
    if (titled !== undefined) return lettersIn(paper.title).includes(lettersIn(titled));
    const minute = (paper.published ?? '').replace(/\D/g, '').slice(0, 12);
    return phrases.every((phrase) => names(paper, phrase)) && from <= minute && minute <= to;
  });
  const shown = fault === 'empty' ? [] : found.slice(0, Number(query.get('max_results')));
  const entries = fault === 'refused' ? [ERROR_ENTRY] : shown.map(atomEntry);
  return `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/x</id><title>arXiv Query: ${escapeXml(asked)}</title>
  <opensearch:totalResults>${found.length}</opensearch:totalResults>
  ${entries.join('\n')}
</feed>`;
}

const ERROR_ENTRY =
  '<entry><id>https://arxiv.org/api/errors#incorrect_id_format</id><title>Error</title><summary>incorrect</summary></entry>';

function atomEntry({
  arxivId = '2401.00001',
  title,
  abstract = '',
  authors = [],
  published,
  doi,
}: FakePaper): string {
  const id = `http://arxiv.org/abs/${arxivId}v2`;
  // An entry in arXiv's format: line breaks in the texts, the title before the URL in a link.
  return `<entry>
    <id>${id}</id>
    <title>${escapeXml(title).replace(' ', '\n  ')}</title>
    <updated>2026-01-01T00:00:00Z</updated>
    <link href="${id}" rel="alternate" type="text/html"/>
    <link title="pdf" href="http://arxiv.org/pdf/${arxivId}v2" rel="related" type="application/pdf"/>
    <summary>  ${escapeXml(abstract)}
    </summary>
    <published>${published ?? ''}</published>
    <arxiv:primary_category term="cs.LG"/>
    ${doi === undefined ? '' : `<arxiv:doi>${doi}</arxiv:doi>`}
    ${authors.map((name) => `<author><name>${escapeXml(name)}</name><arxiv:affiliation>X</arxiv:affiliation></author>`).join('')}
  </entry>`;
}

function lettersIn(text: string): string {
  return foldForSearch(text)
    .replace(/\p{Script=Han}/gu, ' $& ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"\u0080-\uffff]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function names({ title, abstract = '' }: FakePaper, phrase: string): boolean {
  return `${title} ${abstract}`.toLowerCase().includes(phrase.toLowerCase());
}

/** Returns the results without regard to dates, matched loosely. */
function hubJson(papers: FakePaper[], query: URLSearchParams): string {
  return JSON.stringify(
    papers
      .slice(0, Number(query.get('limit')))
      .map(({ arxivId, title, abstract, authors = [], published }) => ({
        paper: {
          id: arxivId,
          title,
          summary: abstract,
          authors: authors.map((name) => ({ _id: 'x', name, hidden: false })),
          publishedAt: published,
          upvotes: 3,
        },
        title,
        publishedAt: published,
        numComments: 0,
      })),
  );
}

function scholarJson(papers: FakePaper[], query: URLSearchParams): string {
  const [from = '', to = ''] = (query.get('publicationDateOrYear') ?? '').split(':');
  const isLookUp = query.get('fields')?.includes('journal') === true;
  const within = papers.filter(({ published }) => isWithin(published, from, to));
  const found = isLookUp ? byWords(within, query.get('query') ?? '') : within;
  const data = found.slice(0, Number(query.get('limit'))).map(scholarPaper);
  return JSON.stringify(
    found.length === 0 ? { total: 0, offset: 0 } : { total: found.length, offset: 0, data },
  );
}

function scholarPaper({
  title,
  abstract,
  authors = [],
  published,
  pdfUrl,
  isOpen,
  license,
  ...ids
}: FakePaper) {
  return {
    paperId: `s2-${title}`,
    externalIds: { CorpusId: 1, DOI: ids.doi, ArXiv: ids.arxivId },
    url: 'https://www.semanticscholar.org/paper/x',
    title,
    abstract: abstract ?? null,
    openAccessPdf: { url: pdfUrl ?? '', status: null, license: license ?? null },
    isOpenAccess: isOpen ?? null,
    publicationDate: published?.slice(0, 10) ?? null,
    year: published === null ? null : Number(published.slice(0, 4)),
    venue: ids.venue ?? '',
    authors: authors.map((name) => ({ authorId: '1', name })),
  };
}

/** One of them matches only by its words. */
function referencesJson(papers: FakePaper[]): string {
  const unknown = { paperId: null, title: 'Unknown words', authors: [] };
  const data = [unknown, ...papers.map(scholarPaper)].map((citedPaper) => ({ citedPaper }));
  return JSON.stringify({ offset: 0, data });
}

function alexJson(papers: FakePaper[], query: URLSearchParams): string {
  const filter = query.get('filter') ?? '';
  const bound = (name: string) => new RegExp(`${name}:([\\d-]+)`).exec(filter)?.[1] ?? '';
  const [from, to] = [bound('from_publication_date'), bound('to_publication_date')];
  const [, doi] = /(?:^|,)doi:([^,]+)/.exec(filter) ?? [];
  const [, titled] = /^title\.search:(.+)$/.exec(filter) ?? [];
  const found = papers.filter((paper) => {
    if (filter.startsWith('is_retracted:true') && !paper.isRetracted) return false;
    if (doi !== undefined) return doi.split('|').includes(paper.doi ?? `10.48550/arxiv.${paper.arxivId}`);
    if (titled !== undefined) return hasWords(paper.title, titled);
    return isWithin(paper.published, from, to);
  });
  const results = found.slice(0, Number(query.get('per-page'))).map(alexWork);
  return JSON.stringify({ meta: { count: found.length }, results });
}

function alexWork(paper: FakePaper, at: number) {
  const page = paper.arxivId === undefined ? null : `http://arxiv.org/abs/${paper.arxivId}`;
  return {
    id: `https://openalex.org/W${at}`,
    doi: paper.doi === undefined ? null : `https://doi.org/${paper.doi}`,
    display_name: paper.title,
    publication_date: paper.published?.slice(0, 10) ?? null,
    publication_year: paper.published === null ? null : Number(paper.published.slice(0, 4)),
    is_retracted: paper.isRetracted ?? false,
    authorships: (paper.authors ?? []).map((display_name) => ({ author: { id: 'A1', display_name } })),
    abstract_inverted_index: invert(paper.abstract),
    primary_location: {
      landing_page_url: page,
      pdf_url: paper.pdfUrl ?? null,
      ...(paper.venue !== undefined && { source: { display_name: paper.venue } }),
    },
    best_oa_location: paper.license === undefined ? null : { license: paper.license },
    ...(paper.isOpen !== undefined && { open_access: { is_oa: paper.isOpen } }),
  };
}

function isWithin(published: string | null, from: string, to: string): boolean {
  if (from === '' && to === '') return true;
  const day = published?.slice(0, 10) ?? '';
  return from <= day && (to === '' || day <= to);
}

function invert(abstract: string | undefined): Record<string, number[]> | null {
  if (abstract === undefined) return null;
  const index: Record<string, number[]> = {};
  for (const [at, word] of abstract.split(' ').entries()) index[word] = [...(index[word] ?? []), at];
  return index;
}

function hasWords(title: string, words: string): boolean {
  const known = new Set(lettersIn(title).split(' '));
  return lettersIn(words)
    .split(' ')
    .every((word) => known.has(word));
}

/** Returns the papers by the number of words that they share with a text, like a search that is never empty. */
function byWords(papers: FakePaper[], text: string): FakePaper[] {
  const words = new Set(lettersIn(text).split(' '));
  const shared = ({ title, authors = [] }: FakePaper) =>
    lettersIn(`${title} ${authors.join(' ')}`)
      .split(' ')
      .filter((word) => words.has(word)).length;
  return papers.toSorted((one, other) => shared(other) - shared(one));
}

/** Crossref's works (https://api.crossref.org): one by its DOI, its agency, or those nearest to a reference. */
function worksJson({ papers: { crossref }, otherAgencies }: FakePapers, url: URL): string | null {
  const path = decodeURIComponent(url.pathname.replace('/crossref/works', '')).slice(1);
  if (path === '') {
    const nearest = byWords(crossref, url.searchParams.get('query.bibliographic') ?? '');
    const items = nearest.slice(0, Number(url.searchParams.get('rows'))).map(workOf);
    return JSON.stringify({ status: 'ok', message: { items } });
  }
  const doi = path.replace(/\/agency$/, '');
  const paper = crossref.find((one) => one.doi === doi);
  const agency = otherAgencies.includes(doi) ? 'datacite' : paper && 'crossref';
  if (path.endsWith('/agency') && agency !== undefined)
    return JSON.stringify({ message: { DOI: doi, agency: { id: agency } } });
  return paper === undefined ? null : JSON.stringify({ status: 'ok', message: workOf(paper) });
}

function workOf(paper: FakePaper) {
  const year = (value: number | undefined) =>
    value === undefined ? undefined : { 'date-parts': [[value, 1, 1]] };
  const first = paper.published === null ? undefined : Number(paper.published.slice(0, 4));
  return {
    DOI: paper.doi ?? '',
    URL: `https://doi.org/${paper.doi}`,
    title: [paper.title],
    subtitle: paper.subtitle === undefined ? [] : [paper.subtitle],
    author: (paper.authors ?? []).map((name) => {
      const family = name.split(' ').at(-1) ?? '';
      const given = name.slice(0, -family.length).trim();
      return given === '' || /\p{Script=Han}/u.test(name) ? { name } : { given, family };
    }),
    'container-title': paper.venue === undefined ? [] : [paper.venue],
    issued: year(first) ?? { 'date-parts': [[null]] },
    'published-online': year(paper.online),
    'published-print': year(paper.printed),
    ...(paper.isRetracted && { 'updated-by': [{ type: 'retraction', source: 'retraction-watch' }] }),
  };
}
