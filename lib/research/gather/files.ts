import { DATASETS_FOLDER } from '../../datasets/links/mounts.ts';
import type { Passage, ScoredPassage } from '../../ports/vectors.ts';
import { fuse } from '../../retrieval/rank/fuse.ts';
import { searchPassages } from '../../retrieval/search.ts';
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
  const { search, workspace, depth, request } = study;
  const queries = [question.question, ...(question.keywords ?? []).slice(0, MAX_KEYWORDS)];
  const { filter } = request;
  const results = await Promise.all(
    queries.map((query) => searchPassages(search, workspace.id, query, { filter })),
  );
  const { passages } = fuse(results);
  const wanted = passages.filter(
    ({ path }) => request.sources.includes(sourceNameOf(path)) && !isMetadata(path),
  );
  const papers = new Map(
    [...(await knownPapers(workspace)).values()].map(({ path, source }) => [path, source]),
  );
  const chosen = choose(wanted, depth);
  const paths = new Set(chosen.map(({ path }) => path));
  const left = [...new Set(wanted.map(({ path }) => path))].filter((path) => !paths.has(path));
  return {
    gathered: chosen.map(({ score: _, ...passage }) => ({
      passage,
      source: papers.get(passage.path) ?? fileSource(passage.path),
    })),
    looked: left.slice(0, MAX_LEFT_OUT).map((path) => {
      return { questionId: question.id, path, used: false, reason: 'Other passages are a closer match.' };
    }),
  };
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
    const count = counts.get(passage.path) ?? 0;
    if (count === passagesOfFile || texts.has(passage.text)) continue;
    counts.set(passage.path, count + 1);
    texts.add(passage.text);
    chosen.push(passage);
  }
  return chosen;
}
