import type { PaperSource } from '../api-contract/paper-sources.ts';
import { singleFlight } from '../async/single-flight.ts';
import { errorText, knownError } from '../known-error.ts';
import { log } from '../log.ts';
import { HubBusy } from '../ports/hub.ts';
import type { FoundPaper, FoundPapers, PaperQuery, Papers } from '../ports/papers.ts';
import { type AskPorts, askSource, LIMITS, type SourceLimits } from './ask-source.ts';
import { answerKey } from './cache.ts';
import { storeAddresses } from './found-addresses.ts';
import { groupFindings } from './merge.ts';
import { rankPapers } from './rank.ts';

const DEFAULT_SOURCES: PaperSource[] = ['preprint_server', 'hub_a'];
/**
 * Number of results to request from each source, whatever the caller's limit. So there is more to merge, and
 * one cached answer serves all limits.
 */
const LIMIT = 30;
/** Maximum values in one filter of OpenAlex. */
const MAX_DOIS = 50;
/** Maximum papers that one reference may name: its versions, and others with a similar title. */
const LOOK_UP_LIMIT = 5;
const NEVER = new AbortController().signal;

/**
 * Searches several sources at once. Equal searches in this process share the work. A source that fails is
 * listed in `errors`. Throws the signal's reason.
 */
export function paperSearch(ports: AskPorts) {
  const share = singleFlight<FoundPaper[]>();
  return async (
    { keywords, maxResults, sources = DEFAULT_SOURCES, dateFrom, dateTo }: PaperQuery,
    { signal = NEVER }: { signal?: AbortSignal } = {},
  ): Promise<FoundPapers> => {
    const query = { keywords, dateFrom, dateTo, limit: LIMIT };
    const asked = [...new Set(sources)];
    const leave = new AbortController();
    const asking = AbortSignal.any([signal, leave.signal]);
    const work = asked.map((source) =>
      share(answerKey(source, query), asking, (shared) => askSource(ports, source, query, shared)),
    );
    const late = leaveLate(work, leave, ports.limits ?? LIMITS);
    const answers = await Promise.allSettled(work).finally(late.end);
    signal.throwIfAborted();
    const findings = answers.flatMap((answer, at) => toFindings(answer, asked[at]));
    const errors = answers.flatMap((answer, at) => toError(answer, asked[at]));
    const ranked = rankPapers(groupFindings(findings), keywords, asked.length - errors.length);
    const articles = ranked.slice(0, maxResults);
    await storeAddresses(ports, articles);
    return {
      articles,
      totalCount: ranked.length,
      errors: Object.fromEntries(errors),
    };
  };
}

/**
 * Returns the references of a paper, which Semantic Scholar knows. As with a search, the service may visit
 * their URLs.
 */
export function paperReferences(ports: AskPorts): Papers['references'] {
  return async ({ doi, arxivId }, { signal = NEVER } = {}) => {
    const referencesOf = arxivId !== null ? `ARXIV:${arxivId}` : doi !== null ? `DOI:${doi}` : undefined;
    if (referencesOf === undefined) return [];
    const source = 'semantic_scholar';
    const found = await askSource(ports, source, { keywords: [], limit: LIMIT, referencesOf }, signal);
    const findings = found.map((paper, rank) => ({ ...paper, source, rank }) as const);
    const articles = rankPapers(groupFindings(findings), [], 1);
    await storeAddresses(ports, articles);
    return articles;
  };
}

/**
 * Returns which of the DOIs OpenAlex lists as retracted. The request is limited to retracted papers, so a
 * missing DOI isn't retracted.
 */
export function retractedPapersOf(ports: AskPorts): Papers['retracted'] {
  return async (dois, { signal = NEVER } = {}) => {
    // These characters separate filters.
    const asked = dois.slice(0, MAX_DOIS).filter((doi) => !/[|,\s]/.test(doi));
    if (asked.length === 0) return [];
    const query = { keywords: [], limit: MAX_DOIS, retractedOf: asked };
    const found = await askSource(ports, 'openalex', query, signal);
    const retracted = new Set(found.map(({ doi }) => doi));
    return asked.filter((doi) => retracted.has(doi.toLowerCase()));
  };
}

/** Looks up the paper of a reference in one catalog. */
export function paperLookUp(ports: AskPorts): Papers['lookUp'] {
  return (catalog, lookUp, { signal = NEVER } = {}) =>
    askSource(ports, catalog, { keywords: [], limit: LOOK_UP_LIMIT, lookUp }, signal);
}

/** Gives up on late sources at the end of the patience if anything was found; otherwise waits for the first result. */
function leaveLate(work: Promise<unknown>[], leave: AbortController, { patienceMs }: SourceLimits) {
  let isLate = false;
  let found = false;
  const leaveNow = () => {
    if (isLate && found)
      leave.abort(new HubBusy(`The source did not answer within ${patienceMs / 1000} s. Try again later.`));
  };
  const timer = setTimeout(() => {
    isLate = true;
    leaveNow();
  }, patienceMs);
  for (const each of work) {
    each.then(
      () => {
        found = true;
        leaveNow();
      },
      () => {},
    );
  }
  return { end: () => clearTimeout(timer) };
}

function toFindings(answer: PromiseSettledResult<FoundPaper[]>, source: PaperSource | undefined) {
  if (source === undefined || answer.status === 'rejected') return [];
  return answer.value.map((paper, rank) => ({ ...paper, source, rank }));
}

function toError(answer: PromiseSettledResult<unknown>, source = ''): [string, string][] {
  if (answer.status === 'fulfilled') return [];
  const error: unknown = answer.reason;
  if (error instanceof HubBusy) return [[source, error.message]];
  if (knownError(error) === undefined) log.error('a source of papers failed', { source }, error);
  return [[source, errorText(error)]];
}
