import { fileKey } from '../../api-contract/report-places.ts';
import { DATASETS_FOLDER } from '../../datasets/links/mounts.ts';
import type { Passage, ScoredPassage } from '../../ports/vectors.ts';
import { fuse } from '../../retrieval/rank/fuse.ts';
import { searchPassages } from '../../retrieval/search.ts';
import { searchWorkspaces } from '../../retrieval/search-workspaces.ts';
import type { SourceName } from '../request-schema.ts';
import type { Looked, Source, SubQuestion } from '../schema.ts';
import type { Study } from '../work/study.ts';
import { isMetadata, knownPapers } from './saved-papers.ts';

/** A passage to read for a question, with its source. */
export interface Gathered {
  passage: Passage;
  source: Source;
}

export interface Found {
  gathered: Gathered[];
  looked: Looked[];
}

const MAX_KEYWORDS = 3;

/** Returns index results near a question: by hybrid search, and by its keywords. */
export async function gatherFiles(study: Study, question: SubQuestion): Promise<Found> {
  const { depth, request } = study;
  const queries = [question.question, ...(question.keywords ?? []).slice(0, MAX_KEYWORDS)];
  const { passages } = fuse(await Promise.all(queries.map((query) => searchAll(study, query))));
  const wanted = passages.filter(
    ({ path }) => request.sources.includes(sourceNameOf(path)) && !isMetadata(path),
  );
  const papers = await papersOf(study);
  const chosen = choose(wanted, depth);
  const read = new Set(chosen.map(fileKey));
  const others = wanted.filter((each) => !read.has(fileKey(each)));
  const left = new Map(others.map((each) => [fileKey(each), each]));
  return {
    gathered: chosen.map(({ score: _, ...passage }) => ({
      passage,
      source: papers.get(fileKey(passage)) ?? fileSource(passage.path),
    })),
    looked: [...left.values()].slice(0, MAX_LEFT_OUT).map(({ workspaceId, path }) => {
      const file = { ...(workspaceId && { workspaceId }), path };
      return { questionId: question.id, ...file, used: false, reason: 'Other passages are a closer match.' };
    }),
  };
}

function searchAll({ search, workspace, workspaces, request: { filter } }: Study, query: string) {
  if (workspaces === undefined) return searchPassages(search, workspace.id, query, { filter });
  const ids = workspaces.map(({ id }) => id);
  return searchWorkspaces(search, ids, query, { filter });
}

/** Returns the saved papers of all workspaces, by `fileKey()`. */
async function papersOf({ workspace, workspaces }: Study): Promise<Map<string, Source>> {
  const papers = new Map<string, Source>();
  for (const each of workspaces ?? [workspace])
    for (const { path, source } of (await knownPapers(each)).values())
      papers.set(fileKey({ workspaceId: workspaces && each.id, path }), source);
  return papers;
}

const MAX_LEFT_OUT = 30;

/** Files saved from external sources count as the workspace's own. */
function sourceNameOf(path: string): SourceName {
  return path.startsWith(`${DATASETS_FOLDER}/`) ? 'datasets' : 'files';
}

function fileSource(path: string): Source {
  const kind = sourceNameOf(path) === 'datasets' ? ('dataset' as const) : ('file' as const);
  return { kind, title: path.slice(path.lastIndexOf('/') + 1) };
}

/** Selects the nearest passages from several files. A text that occurs in several files is read once. */
function choose(
  ranked: ScoredPassage[],
  { passages, passagesOfFile }: { passages: number; passagesOfFile: number },
): ScoredPassage[] {
  const counts = new Map<string, number>();
  const texts = new Set<string>();
  const chosen: ScoredPassage[] = [];
  for (const passage of ranked) {
    if (chosen.length === passages) break;
    const key = fileKey(passage);
    const count = counts.get(key) ?? 0;
    if (count === passagesOfFile || texts.has(passage.text)) continue;
    counts.set(key, count + 1);
    texts.add(passage.text);
    chosen.push(passage);
  }
  return chosen;
}
