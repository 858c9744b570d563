import { withoutClosed } from '../datasets/links/mounts.ts';
import { modelOf } from '../passages/embedding-space.ts';
import { readSearchSpace } from '../passages/search-space.ts';
import { isLost } from '../passages/tables.ts';
import type { Clock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Records } from '../ports/records.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { PassageTable, ScoredPassage, Vectors } from '../ports/vectors.ts';
import { embedderOf, embedQuestion } from './embed-question.ts';
import { fuse } from './rank/fuse.ts';
import { putNamedFirst } from './rank/named-first.ts';
import { rankByMeaning } from './rank/rank-meaning.ts';
import { rankByWords } from './rank/rank-words.ts';
import type { Ranking } from './rank/ranking.ts';
import { rerank } from './rank/rerank.ts';
import { termsOf } from './rank/terms.ts';

export interface SearchPorts {
  records: Records;
  vectors: Vectors;
  /** Absent: search is by words only. */
  embedder: Embedder | undefined;
  /** Absent: passages stand as words and meaning rank them. */
  reranker?: Reranker | undefined;
  /** Default: the system's. */
  clock?: Clock;
}

export interface SearchResult {
  /** `none`: the index is empty. */
  mode: 'hybrid' | 'lexical' | 'none';
  /**
   * Why search was by words alone where an embedder is configured: it failed, or the index has no vectors that it can be
   * asked for, since it was made before, or by another.
   */
  fellBack: 'failed' | 'other-index' | undefined;
  /** The table of what is indexed is not there any more: only a sync brings it back. */
  lost?: boolean;
  /** How near the best passage is to the question: 0 a miss, 1 all that is asked about. */
  nearness: number;
  /** Best first; at most a hundred. */
  passages: ScoredPassage[];
}

const NOTHING: SearchResult = { mode: 'none', fellBack: undefined, nearness: 0, passages: [] };
const CANDIDATES = 50;
const MAX_QUERY_LENGTH = 2000;
/** An answer by words alone is better than one that waits. */
const EMBEDDING_DEADLINE_MS = 5000;

/** Searches by words and by meaning at once, as far as the index and the embedder are of one kind. */
export async function searchPassages(
  ports: SearchPorts,
  workspaceId: string,
  question: string,
  deadlineMs = EMBEDDING_DEADLINE_MS,
): Promise<SearchResult> {
  const { records, vectors, embedder } = ports;
  const space = await readSearchSpace(records, workspaceId);
  if (space === undefined) return NOTHING;
  const query = question.slice(0, MAX_QUERY_LENGTH).toWellFormed(); // half a character is refused, or breaks a service
  const table = await vectors.open(workspaceId, space);
  const open: Open = (found) => withoutClosed(records, workspaceId, found);
  const asked = embedderOf(modelOf(space), embedder);
  const [byWords, byMeaning] = await Promise.all([
    searchWords(table, query, open),
    asked && searchMeaning(ports, table, { embedder: asked, question: query, deadlineMs, open }),
  ]);
  const fused = fuse(byMeaning === undefined ? [byWords] : [byWords, byMeaning]);
  if (fused.passages.length === 0 && (await table.count()) === 0)
    return { ...NOTHING, lost: await isLost(ports, { workspaceId, space }) };
  const { nearness, passages } = putNamedFirst(query, await rerank(ports, query, fused));
  if (byMeaning !== undefined) return { mode: 'hybrid', fellBack: undefined, nearness, passages };
  const fellBack = asked !== undefined ? 'failed' : embedder !== undefined ? 'other-index' : undefined;
  return { mode: 'lexical', fellBack, nearness, passages };
}

/** Keeps of what was found what whoever asks in this workspace may read. */
type Open = (found: ScoredPassage[]) => Promise<ScoredPassage[]>;

/** A question without any term finds nothing: all that could be found is files that share its stop words. */
async function searchWords(table: PassageTable, query: string, open: Open): Promise<Ranking> {
  const terms = termsOf(query);
  const found = terms.length === 0 ? [] : await table.searchText(terms.join(' '), CANDIDATES);
  return rankByWords(terms, await open(found));
}

/** Undefined when the question cannot be embedded now. */
async function searchMeaning(
  { embedder: configured, clock }: SearchPorts,
  table: PassageTable,
  {
    embedder,
    question,
    deadlineMs,
    open,
  }: { embedder: Embedder; question: string; deadlineMs: number; open: Open },
): Promise<Ranking | undefined> {
  const isConfigured = embedder === configured;
  const vector = await embedQuestion(table, { embedder, isConfigured, question, deadlineMs, clock });
  return vector && rankByMeaning(await open(await table.searchVector(vector, CANDIDATES)));
}
