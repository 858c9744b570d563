import { UpstreamFailed } from '../../errors.ts';
import { HubBusy } from '../../ports/hub.ts';
import type { Catalog, CatalogQuery, DateRange, FoundPaper, PaperLookUp } from '../../ports/papers.ts';
import { type CatalogSettings, catalogRequests, unreadableAnswer } from '../outbound/catalog-request.ts';
import { type FeedEntry, readFeed } from './feed.ts';

const NAME = 'arXiv';
/** Maximum bytes of a feed. A hundred long abstracts take a tenth of it. */
const MAX_FEED_BYTES = 2 * 1024 * 1024;
/** A minute before the first paper, and one after every date that can be requested. */
const [FIRST_MINUTE, LAST_MINUTE] = ['199001010000', '999912312359'];

/**
 * arXiv's API: https://info.arxiv.org/help/api/user-manual.html. Callers must keep to its terms of use: one
 * request per 3 s over one connection, across all hosts.
 */
export function arxivCatalog(settings: CatalogSettings): Catalog {
  const requests = catalogRequests({ ...settings, name: NAME });
  return {
    name: NAME,
    async find(query, { signal }) {
      const asked = {
        path: '/api/query',
        query: {
          ...(query.lookUp === undefined ? { search_query: searchQuery(query) } : namedBy(query.lookUp)),
          start: '0',
          max_results: `${query.limit}`,
          sortBy: 'relevance',
          sortOrder: 'descending',
        },
        credentials: {},
        signal,
      };
      const papers = readPapers(await requests.text(asked, MAX_FEED_BYTES));
      return query.lookUp === undefined ? papers : papers.map(withDetails);
    },
  };
}

function namedBy(wanted: PaperLookUp): Record<string, string> {
  if ('arxivId' in wanted) return { id_list: wanted.arxivId };
  const words = ('doi' in wanted ? wanted.doi : wanted.title).replace(/["\\*?]/g, ' ');
  return { search_query: 'doi' in wanted ? `doi:"${words}"` : `ti:"${words}"` };
}

function withDetails(paper: FoundPaper): FoundPaper {
  const year = Number(paper.publishedDate?.slice(0, 4));
  return { ...paper, details: { titles: [], years: [year], venues: [NAME], isRetracted: false } };
}

/**
 * Returns the query, in which each keyword is a phrase and all must match. Removes characters that have a
 * meaning in the query language.
 */
function searchQuery({ keywords, ...range }: CatalogQuery): string {
  const phrases = keywords.map((keyword) => `all:"${keyword.replace(/["\\*?]/g, ' ')}"`);
  return [...phrases, ...submitted(range)].join(' AND ');
}

/**
 * Returns the range in minutes, both ends included. It ends with the first minute of the next day. Callers
 * check the dates.
 */
function submitted({ dateFrom, dateTo }: DateRange): string[] {
  if (dateFrom === undefined && dateTo === undefined) return [];
  const from = dateFrom === undefined ? FIRST_MINUTE : `${digits(dateFrom)}0000`;
  const to = dateTo === undefined ? LAST_MINUTE : minuteAfter(dateTo);
  return [`submittedDate:[${from} TO ${to}]`];
}

function minuteAfter(day: string): string {
  const next = new Date(Date.parse(day) + 24 * 60 * 60 * 1000).toISOString();
  return next.length > 24 ? LAST_MINUTE : `${digits(next.slice(0, 10))}0000`; // the year has five digits
}

function digits(day: string): string {
  return day.replaceAll('-', '');
}

function readPapers(text: string): FoundPaper[] {
  const feed = readFeed(text);
  if (feed === undefined) throw unreadableAnswer(NAME);
  const { total, entries } = feed;
  if (entries.some(({ id }) => id.includes('/api/errors')))
    throw new UpstreamFailed('paper_source_failed', `${NAME} refused the query. Change the search terms.`);
  // A known bug of arXiv: a page that should have entries is sometimes empty.
  if (entries.length === 0 && total > 0) throw new HubBusy(`${NAME} returned an empty page.`);
  return entries.map(toPaper);
}

function toPaper({ id, title, summary, published, authors, doi, links }: FeedEntry): FoundPaper {
  const pdf = links.find((link) => link.title === 'pdf' || link.type === 'application/pdf');
  const page = links.find((link) => link.rel === 'alternate');
  const secure = (address: string) => address.replace(/^http:/, 'https:');
  return {
    id,
    arxivId: id,
    title,
    authors,
    abstract: summary,
    url: secure(page?.href ?? id),
    pdfUrl: pdf?.href === undefined ? null : secure(pdf.href),
    publishedDate: published,
    doi,
    isOpen: true, // the feed has no licenses
  };
}
