import { log } from '../log.ts';
import { modelOf } from '../passages/embedding-space.ts';
import { readSearchSpace } from '../passages/search-space.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Records } from '../ports/records.ts';
import type { PassageTable, ScoredPassage, Vectors } from '../ports/vectors.ts';
import { fuse } from './fuse.ts';

export interface SearchPorts {
  records: Records;
  vectors: Vectors;
  /** Absent: search is by words only. */
  embedder: Embedder | undefined;
}

export interface SearchResult {
  /** `none`: the index is empty. */
  mode: 'hybrid' | 'lexical' | 'none';
  /** The index has vectors, but the question could not be embedded: search was by words alone. */
  fellBack: boolean;
  /** Best first; at most a hundred. */
  passages: ScoredPassage[];
}

const NOTHING: SearchResult = { mode: 'none', fellBack: false, passages: [] };
const CANDIDATES = 50;
const MAX_QUERY_LENGTH = 2000;
/** An answer by words alone is better than one that waits. */
const EMBEDDING_DEADLINE_MS = 5000;

/** By words and by meaning at once, as far as the index and the embedder are of one kind. */
export async function searchPassages(
  { records, vectors, embedder }: SearchPorts,
  workspaceId: string,
  question: string,
  deadlineMs = EMBEDDING_DEADLINE_MS,
): Promise<SearchResult> {
  const space = await readSearchSpace(records, workspaceId);
  if (space === undefined) return NOTHING;
  const query = question.slice(0, MAX_QUERY_LENGTH);
  const table = await vectors.open(workspaceId, space);
  const comparable = embedder !== undefined && modelOf(space) === embedder.model;
  const [byWords, byMeaning] = await Promise.all([
    table.searchText(query, CANDIDATES),
    comparable ? searchMeaning(table, embedder, query, deadlineMs) : undefined,
  ]);
  const passages = fuse(byMeaning === undefined ? [byWords] : [byWords, byMeaning]);
  if (passages.length === 0 && (await table.count()) === 0) return NOTHING;
  return {
    mode: byMeaning === undefined ? 'lexical' : 'hybrid',
    fellBack: comparable && byMeaning === undefined,
    passages,
  };
}

/** Undefined when the question cannot be embedded now. */
async function searchMeaning(
  table: PassageTable,
  embedder: Embedder,
  query: string,
  deadlineMs: number,
): Promise<ScoredPassage[] | undefined> {
  const vector = await embedQuestion(embedder, query, deadlineMs);
  return vector && table.searchVector(vector, CANDIDATES);
}

/** The deadline holds even where the embedder does not listen to the signal (it may sleep between two tries). */
async function embedQuestion(
  embedder: Embedder,
  query: string,
  deadlineMs: number,
): Promise<Float32Array | undefined> {
  if (query.trim() === '') return undefined;
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      controller.abort();
      resolve(undefined);
    }, deadlineMs);
  });
  try {
    const embedding = embedder.embed([query], { signal: controller.signal });
    return (await Promise.race([embedding, deadline]))?.[0];
  } catch (error) {
    log.warn('the question was not embedded', { reason: (error as Error).message });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
