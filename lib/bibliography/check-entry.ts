import type { PaperCatalog } from '../api-contract/paper-sources.ts';
import { UpstreamFailed } from '../errors.ts';
import { HubBusy } from '../ports/hub.ts';
import type { PaperLookUp, Papers } from '../ports/papers.ts';
import type { ReferenceEntry } from './entry.ts';
import { type CatalogPaper, type JudgedEntry, judgeEntry } from './judge-entry.ts';
import type { CheckedEntry } from './schema.ts';

/** Milliseconds for one entry. */
const ENTRY_MS = 45_000;
/** The number of failures in a row after which a catalog isn't asked again for the same list. */
const MAX_FAILURES = 2;

/** The catalogs as one reference list asks them: one that failed repeatedly isn't asked again. */
export function openCatalogs(papers: Pick<Papers, 'lookUp' | 'retracted'>) {
  const failures = new Map<PaperCatalog, number>();
  return {
    papers,
    /** Undefined if the catalog doesn't answer. */
    async ask(
      catalog: PaperCatalog,
      wanted: PaperLookUp,
      signal: AbortSignal,
    ): Promise<CatalogPaper[] | undefined> {
      const failed = failures.get(catalog) ?? 0;
      if (failed >= MAX_FAILURES) return undefined;
      try {
        const found = await papers.lookUp(catalog, wanted, { signal });
        failures.delete(catalog);
        return found.map((paper) => ({ ...paper, catalog }));
      } catch (error) {
        const isBusy = error instanceof HubBusy;
        if (!isBusy && !(error instanceof UpstreamFailed) && !signal.aborted) throw error;
        if (isBusy) failures.set(catalog, failed + 1);
        return undefined;
      }
    },
  };
}

export type Catalogs = ReturnType<typeof openCatalogs>;

interface Question {
  catalog: PaperCatalog;
  wanted: PaperLookUp;
}

/** Looks up an entry, as `findPaper()` does. */
export async function checkEntry(
  catalogs: Catalogs,
  entry: ReferenceEntry,
  signal: AbortSignal,
): Promise<CheckedEntry> {
  return (await findPaper(catalogs, entry, signal)).checked;
}

export interface FoundEntry {
  checked: CheckedEntry;
  paper?: CatalogPaper | undefined;
}

/**
 * Looks up an entry: by its DOI, by its arXiv ID, then by its title, until a record agrees with it. It is `not_found` only
 * if every catalog answered. `paper` is the one of its record. Throws the signal's reason.
 */
export async function findPaper(
  catalogs: Catalogs,
  entry: ReferenceEntry,
  signal: AbortSignal,
  timeoutMs = ENTRY_MS,
): Promise<FoundEntry> {
  const questions = questionsOf(entry);
  if (questions.length === 0) return { checked: notChecked('unreadable', []) };
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const candidates: CatalogPaper[] = [];
  const silent = new Set<Question>();
  let judged: JudgedEntry = { differences: [], isRetracted: false };
  for (const question of questions) {
    const answer = await catalogs.ask(question.catalog, question.wanted, until);
    if (answer === undefined) silent.add(question);
    candidates.push(...(answer ?? (await askInstead(catalogs, question, until))));
    signal.throwIfAborted();
    judged = judgeEntry(entry, { candidates, ...knownAfter(silent) });
    if (judged.record !== undefined && judged.differences.length === 0) break;
  }
  const checked = await conclude(catalogs, entry, { judged, candidates, silent }, until);
  return { checked, paper: judged.paper };
}

function questionsOf({ doi, arxivId, title, text }: ReferenceEntry): Question[] {
  const questions: Question[] = [];
  const add = (wanted: PaperLookUp, ...asked: PaperCatalog[]) =>
    questions.push(...asked.map((catalog) => ({ catalog, wanted })));
  const isArxiv = arxivId !== undefined && doi?.startsWith('10.48550/');
  if (doi !== undefined && !isArxiv) add({ doi }, 'openalex', 'crossref');
  if (arxivId !== undefined) add({ arxivId }, 'preprint_server');
  if (title !== undefined)
    add({ title, reference: text }, 'openalex', 'crossref', 'semantic_scholar', 'preprint_server');
  return questions;
}

/** Papers of Hugging Face are on arXiv, so it is only asked if arXiv doesn't answer. It can't say that arXiv lacks one. */
async function askInstead(catalogs: Catalogs, { catalog, wanted }: Question, signal: AbortSignal) {
  return catalog === 'preprint_server' ? ((await catalogs.ask('hub_a', wanted, signal)) ?? []) : [];
}

function knownAfter(silent: Set<Question>) {
  const failed = [...silent];
  return {
    isDoiKnown: !failed.some(({ wanted }) => 'doi' in wanted),
    areYearsKnown: !failed.some(({ catalog }) => catalog === 'crossref'),
  };
}

interface Asked {
  judged: JudgedEntry;
  candidates: CatalogPaper[];
  silent: Set<Question>;
}

async function conclude(
  catalogs: Catalogs,
  entry: ReferenceEntry,
  { judged, candidates, silent }: Asked,
  signal: AbortSignal,
): Promise<CheckedEntry> {
  const { record, differences } = judged;
  const unavailable = [...new Set([...silent].map(({ catalog }) => catalog))];
  if (record === undefined) {
    if (unavailable.length > 0) return notChecked('catalog_unavailable', unavailable);
    if (entry.isOutside && differences.length === 0) return notChecked('outside_catalogs', []);
    return { state: 'not_found', unavailable, differences };
  }
  const isRetracted = judged.isRetracted || (await wasRetracted(catalogs, record.doi, candidates, signal));
  const state = isRetracted ? 'retracted' : differences.length > 0 ? 'differs' : 'found';
  return { state, unavailable, record, differences };
}

function notChecked(reason: NonNullable<CheckedEntry['reason']>, unavailable: string[]): CheckedEntry {
  return { state: 'not_checked', reason, unavailable, differences: [] };
}

/** OpenAlex knows retractions that others don't, so it is asked if it hasn't described the paper. */
async function wasRetracted(
  { papers }: Catalogs,
  doi: string | null,
  candidates: CatalogPaper[],
  signal: AbortSignal,
): Promise<boolean> {
  if (doi === null || candidates.some((one) => one.catalog === 'openalex' && one.doi === doi)) return false;
  const retracted = await papers.retracted([doi], { signal }).catch((): string[] => []);
  return retracted.includes(doi);
}
