import { fileKey } from '../../api-contract/report-places.ts';
import { hashOf } from '../../runs/steps/stored-steps.ts';
import { describeSources } from '../references/describe-sources.ts';
import type { Source, SubQuestion } from '../schema.ts';
import { withinBytes } from '../within-bytes.ts';
import { type Earlier, READ_STEP } from '../work/earlier-report.ts';
import { workspaceOf } from '../work/source-files.ts';
import type { Study } from '../work/study.ts';
import { readDocuments } from './documents.ts';
import { type Found, type Gathered, gatherFiles } from './files.ts';
import { gatherPapers } from './papers.ts';
import { gatherPages } from './web.ts';

/**
 * Returns the passages to read for a question from all sources. The result stays the same even if files change while
 * the run continues.
 */
export async function gather(study: Study, question: SubQuestion): Promise<Found> {
  const { read, ...found } = await study.steps.once('gather', question, () => gatherNow(study, question));
  await study.steps.once(READ_STEP, question.id, async () => read ?? found.gathered.map(keyOf));
  return found;
}

/**
 * `read` contains the passages read so far, including those of earlier reports. If it's absent, the found
 * passages count as read.
 */
async function gatherNow(study: Study, question: SubQuestion): Promise<Found & { read?: string[] }> {
  study.requireMayGoOn();
  const [files, papers, pages] = await Promise.all([
    gatherFiles(study, question),
    study.request.sources.includes('papers') ? gatherFromPapers(study, question) : NONE,
    gatherPages(study, question),
  ]);
  const found = withoutTwins([...papers.gathered, ...pages.gathered, ...files.gathered]);
  const gathered = withinBytes(await withReferences(study, found), MAX_GATHERED_BYTES);
  const looked = withinBytes([...files.looked, ...papers.looked, ...pages.looked], MAX_LOOKED_BYTES);
  const { earlier, request } = study;
  if (request.way !== 'refresh' || earlier === undefined) return { gathered, looked };
  const isKnown = (each: Gathered) =>
    earlier.read.has(keyOf(each)) || earlier.read.has(keyBefore(earlier, each));
  return { gathered: gathered.filter((each) => !isKnown(each)), looked, read: gathered.map(keyOf) };
}

/**
 * References are stored with the report, because an export may have no access to files: on AWS, the exporting
 * function has none.
 */
async function withReferences(study: Study, gathered: Gathered[]): Promise<Gathered[]> {
  const until = AbortSignal.any([study.signal, AbortSignal.timeout(DESCRIBE_MS)]);
  const described = new Map<string, Source>();
  for (const [workspaceId, some] of Map.groupBy(gathered, ({ passage }) => passage.workspaceId)) {
    const workspace = workspaceOf(study, { workspaceId });
    if (workspace === undefined) continue;
    const sources = new Map(some.map(({ passage, source }) => [passage.path, source]));
    for (const [path, source] of await describeSources(study.ports.records, workspace, sources, until))
      described.set(fileKey({ workspaceId, path }), source);
  }
  return gathered.map(({ passage, source }) => {
    return { passage, source: described.get(fileKey(passage)) ?? source };
  });
}

/** Milliseconds for the references of all workspaces together. Sources not read in time keep their file names. */
const DESCRIBE_MS = 30_000;

/** The maximum total size in bytes, because everything must fit into one record. */
const MAX_GATHERED_BYTES = 250_000;
const MAX_LOOKED_BYTES = 50_000;

const NONE: Found = { gathered: [], looked: [] };

/**
 * Returns the key of a passage in one version of its file. A passage that a report has read isn't read again
 * for a follow-up.
 */
function keyOf({ passage }: Gathered): string {
  return hashOf([fileKey(passage), passage.text]).slice(0, 16);
}

/** Returns the key of the passage before its file was moved. */
function keyBefore({ movedFrom }: Earlier, { passage, source }: Gathered): string {
  return keyOf({ passage: { ...passage, path: movedFrom.get(fileKey(passage)) ?? passage.path }, source });
}

/** Drops duplicates, because saved external sources may also be in the index. */
function withoutTwins(gathered: Gathered[]): Gathered[] {
  const seen = new Set<string>();
  return gathered.filter((each) => {
    const key = keyOf(each);
    return !seen.has(key) && seen.add(key);
  });
}

async function gatherFromPapers(study: Study, question: SubQuestion): Promise<Found> {
  const { ports, workspace, depth, signal } = study;
  const { saved, leftOut } = await gatherPapers(ports, workspace, {
    ...{ subQuestion: question.question, keywords: question.keywords ?? [] },
    ...{ limit: depth.papers, followReferences: depth.followReferences, signal },
  });
  const found = await readDocuments(study, question, saved);
  const left = leftOut.map((paper) => ({ questionId: question.id, ...paper, used: false }));
  return { ...found, looked: [...found.looked, ...left] };
}
