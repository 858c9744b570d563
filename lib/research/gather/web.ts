import { UpstreamFailed } from '../../errors.ts';
import { formatOfDownload } from '../../formats/all-formats.ts';
import { requireRefusal } from '../../known-error.ts';
import { sha256 } from '../../paths/hash.ts';
import { timestamp } from '../../ports/clock.ts';
import type { WebResult } from '../../ports/web-search.ts';
import { runUsage } from '../../runs/run-usage.ts';
import { toWebQuery } from '../../web-search/find-pages.ts';
import { countWebSearch } from '../../web-search/limit.ts';
import { savePage as savePageFile } from '../../web-search/save-page.ts';
import { tidyResults } from '../../web-search/tidy-results.ts';
import type { SubQuestion } from '../schema.ts';
import type { Study } from '../work/study.ts';
import { readDocuments } from './documents.ts';
import type { Found } from './files.ts';
import type { SavedSource } from './papers.ts';

const MAX_BYTES = 10_000_000;
const FETCH_MS = 30_000;
const MAX_RESULTS = 10;

/** Returns the nearest passages of pages that a user named, or that a search found. The model never chooses a URL. */
export async function gatherPages(study: Study, question: SubQuestion): Promise<Found> {
  const searched = await searchPages(study, question);
  const named = study.request.addresses.map((url) => ({ url, title: url }));
  const pages = await Promise.all([...named, ...searched.results].map((page) => savePage(study, page)));
  const kept = pages.filter((page) => 'path' in page);
  const found = await readDocuments(study, question, kept);
  const left = pages.flatMap((page) =>
    'path' in page ? [] : [{ questionId: question.id, ...page, used: false }],
  );
  const failed = searched.reason === undefined ? [] : [searchFailed(question, searched.reason)];
  return { ...found, looked: [...found.looked, ...left, ...failed] };
}

interface Searched {
  results: WebResult[];
  reason?: string;
}

/** Searches the web for a question, once. A failed search leaves the report with its other sources. */
async function searchPages(study: Study, question: SubQuestion): Promise<Searched> {
  if (!study.request.sources.includes('web')) return { results: [] };
  return study.steps.once('web-search', question.question, () => searchNow(study, question));
}

async function searchNow(study: Study, { question }: SubQuestion): Promise<Searched> {
  const { ports, run, depth, signal } = study;
  study.requireMayGoOn();
  const use = runUsage(run);
  const web = ports.webSearch?.webFor(use);
  if (web === undefined) return { results: [], reason: 'Web search is not configured.' };
  try {
    await countWebSearch(ports, use.callerId);
    const found = await web.webSearch.search(toWebQuery(question), { limit: MAX_RESULTS, signal });
    return { results: tidyResults(found, depth.webPages) };
  } catch (error) {
    signal.throwIfAborted();
    return { results: [], reason: requireRefusal(error).message };
  }
}

function searchFailed({ id, question }: SubQuestion, reason: string) {
  return { questionId: id, title: question, used: false, reason };
}

type Page = SavedSource | { url: string; reason: string };

const underWay = new WeakMap<Study, Map<string, Promise<Page>>>();

/** Downloads a page once for all questions. */
function savePage(study: Study, { url, title }: WebResult): Promise<Page> {
  const pages = underWay.get(study) ?? new Map<string, Promise<Page>>();
  underWay.set(study, pages);
  const page = pages.get(url) ?? study.steps.once('page', url, () => fetchPage(study, { url, title }));
  pages.set(url, page);
  return page;
}

async function fetchPage(study: Study, { url, title }: WebResult): Promise<Page> {
  const { ports, workspace, signal } = study;
  study.requireMayGoOn();
  try {
    const fetched = { maxBytes: MAX_BYTES, timeoutMs: FETCH_MS, signal };
    const { url: finalUrl, status, contentType, bytes } = await ports.web.fetchPublic(url, fetched);
    if (status !== 200)
      throw new UpstreamFailed('download_failed', `${new URL(url).hostname} returned status ${status}.`);
    const extension = formatOfDownload(bytes, contentType).extensions[0] ?? 'txt';
    const [hash, fetchedAt] = [await sha256(bytes), timestamp(ports.clock)];
    const path = await savePageFile(ports, workspace, { url, finalUrl, extension, bytes, hash, fetchedAt });
    return { path, source: { kind: 'web', title, url, retrievedAt: fetchedAt } };
  } catch (error) {
    signal.throwIfAborted();
    return { url, reason: requireRefusal(error).message };
  }
}
