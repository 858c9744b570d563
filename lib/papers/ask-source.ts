import type { PaperCatalog } from '../api-contract/paper-sources.ts';
import { backOffDelay, retry } from '../async/retry.ts';
import { HubBusy } from '../ports/hub.ts';
import type { Catalog, CatalogQuery, FoundPaper } from '../ports/papers.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { answerKey, cacheAnswer, readCachedAnswer } from './cache.ts';
import { type Rate, type RequestSlot, withRateLimit } from './shared-rate-limiter.ts';
import { tidyPapers } from './tidy-papers.ts';

export interface SourceLimits {
  /** Milliseconds between two requests to a source; a source without a number has no limit. */
  intervalMs: Partial<Record<PaperCatalog, number>>;
  /** Milliseconds for all attempts of one search at a source. */
  deadlineMs: number;
  /** Milliseconds that the first caller waits for its slot at a source. */
  waitMs: number;
  /** Milliseconds after which a search returns without the sources that haven't answered yet. */
  patienceMs: number;
}

/**
 * arXiv's terms of use: one request per 3 s and one connection, across all hosts. A Semantic Scholar key starts with
 * one request per second, and Crossref allows one list per second without a registered address.
 */
export const LIMITS: SourceLimits = {
  intervalMs: { preprint_server: 3000, semantic_scholar: 1000, crossref: 1000 },
  deadlineMs: 15_000,
  waitMs: 45_000,
  patienceMs: 3000,
};
const MAX_TRIES = 3;
const FIRST_RETRY_MS = 1000;

export interface AskPorts extends TimedRecords {
  /** Opens the catalog with the current keys. */
  openCatalog(source: PaperCatalog): Promise<Catalog>;
  /** The limits; by default LIMITS. */
  limits?: SourceLimits;
}

/**
 * Returns a source's results, from the cache if they were requested recently. Throws HubBusy, UpstreamFailed,
 * the signal's reason.
 */
export async function askSource(
  ports: AskPorts,
  source: PaperCatalog,
  query: CatalogQuery,
  signal: AbortSignal,
): Promise<FoundPaper[]> {
  const catalog = await ports.openCatalog(source);
  const key = answerKey(source, query);
  const ready = () => readCachedAnswer(ports, key);
  const { deadlineMs, intervalMs, patienceMs } = ports.limits ?? LIMITS;
  const delayMs = intervalMs[source] ?? FIRST_RETRY_MS;
  const work = async (slot?: RequestSlot) => {
    const leftMs = slot?.timeLeftMs() ?? deadlineMs;
    const papers = tidyPapers(
      await askInTime(catalog, query, { signal, leftMs, delayMs, patienceMs }),
      query,
    );
    await cacheAnswer(ports, key, papers);
    return papers;
  };
  const rate = rateOf(ports, source, catalog.name);
  return rate === undefined
    ? ((await ready()) ?? work())
    : withRateLimit(ports, rate, { ready, signal }, work);
}

/** Returns a source's rate; undefined for a source without a rate limit. */
export function rateOf(
  { limits = LIMITS }: Pick<AskPorts, 'limits'>,
  source: PaperCatalog,
  name: string,
): Rate | undefined {
  const { deadlineMs, waitMs } = limits;
  const intervalMs = limits.intervalMs[source];
  return intervalMs === undefined ? undefined : { source, name, intervalMs, slotMs: deadlineMs, waitMs };
}

interface Patience {
  signal: AbortSignal;
  leftMs: number;
  /** The delay before the second attempt in milliseconds; it doubles for each further one. */
  delayMs: number;
  /** Milliseconds after which an unreachable source isn't retried, because it rarely recovers so quickly. */
  patienceMs: number;
}

async function askInTime(
  catalog: Catalog,
  query: CatalogQuery,
  { leftMs, signal, ...others }: Patience,
): Promise<FoundPaper[]> {
  const deadline = AbortSignal.timeout(Math.max(1, Math.floor(leftMs)));
  const patience = { ...others, signal: AbortSignal.any([signal, deadline]), leftMs };
  try {
    return await askPatiently(catalog, query, patience);
  } catch (error) {
    signal.throwIfAborted();
    throw deadline.aborted ? lateError(catalog) : error;
  }
}

async function askPatiently(
  catalog: Catalog,
  query: CatalogQuery,
  { signal, leftMs, delayMs, patienceMs }: Patience,
): Promise<FoundPaper[]> {
  const beganAt = performance.now();
  const askOnce = async () => {
    // This process was suspended for too long.
    if (performance.now() >= beganAt + leftMs) throw lateError(catalog);
    return catalog.find(query, { signal });
  };
  return retry(askOnce, {
    maxTries: MAX_TRIES,
    patienceMs: leftMs,
    signal,
    waitAfter(error, tries) {
      if (!(error instanceof HubBusy)) return undefined;
      const waitMs = Math.max(backOffDelay(tries, delayMs), error.pauseMs ?? 0);
      const isOver = error.unreachable && performance.now() + waitMs >= beganAt + patienceMs;
      return isOver ? undefined : waitMs;
    },
  });
}

function lateError({ name }: Catalog): HubBusy {
  return new HubBusy(`${name} did not answer in time.`);
}
