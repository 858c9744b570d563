import { modelOf } from '../passages/embedding-space.ts';
import { readSearchSpace } from '../passages/search-space.ts';
import type { Clock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Records } from '../ports/records.ts';
import type { ScoredPassage, Vectors } from '../ports/vectors.ts';
import { fuse } from './fuse.ts';
import { embedderOf, embedQuestion } from './question.ts';

export interface SearchPorts {
  records: Records;
  vectors: Vectors;
  /** Absent: search is by words only. */
  embedder: Embedder | undefined;
  /** Default: the system's. */
  clock?: Clock;
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
  { records, vectors, embedder, clock }: SearchPorts,
  workspaceId: string,
  question: string,
  deadlineMs = EMBEDDING_DEADLINE_MS,
): Promise<SearchResult> {
  const space = await readSearchSpace(records, workspaceId);
  if (space === undefined) return NOTHING;
  const query = question.slice(0, MAX_QUERY_LENGTH);
  const table = await vectors.open(workspaceId, space);
  const asked = embedderOf(modelOf(space), embedder);
  const searchMeaning = async (chosen: Embedder) => {
    const isConfigured = chosen === embedder;
    const asks = { embedder: chosen, isConfigured, question: query, deadlineMs, clock };
    const vector = await embedQuestion(table, asks);
    return vector && table.searchVector(vector, CANDIDATES);
  };
  const [byWords, byMeaning] = await Promise.all([
    table.searchText(query, CANDIDATES),
    asked && searchMeaning(asked),
  ]);
  const passages = fuse(byMeaning === undefined ? [byWords] : [byWords, byMeaning]);
  if (passages.length === 0 && (await table.count()) === 0) return NOTHING;
  return {
    mode: byMeaning === undefined ? 'lexical' : 'hybrid',
    fellBack: asked !== undefined && byMeaning === undefined,
    passages,
  };
}
