import { withoutClosed } from '../datasets/links/mounts.ts';
import { modelOf } from '../passages/embedding-space.ts';
import { indexes } from '../passages/search-space.ts';
import { isLost } from '../passages/tables.ts';
import type { Clock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Entailment } from '../ports/entailment.ts';
import type { Records } from '../ports/records.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { PassageTable, ScoredPassage, SearchScope, Vectors } from '../ports/vectors.ts';
import { embedderOf, embedQuestion } from './embed-question.ts';
import type { SearchFilter } from './filter/filter-schema.ts';
import { filteredScope } from './filter/filtered-scope.ts';
import { combine } from './rank/fuse.ts';
import { putNamedFirst } from './rank/named-first.ts';
import { identifiersOf } from './rank/names.ts';
import { rankByMeaning } from './rank/rank-meaning.ts';
import { rankByWords } from './rank/rank-words.ts';
import type { Ranking } from './rank/ranking.ts';
import { rerank } from './rank/rerank.ts';
import { searchedTerms, termsOf } from './rank/terms.ts';

export interface SearchPorts {
  records: Records;
  vectors: Vectors;
  /** Absent for keyword search only. */
  embedder: Embedder | undefined;
  /** Absent if the keyword and semantic ranks decide the order. */
  reranker?: Reranker | undefined;
  /** Judges citations. If absent, code judges them and, on request, a language model. */
  entailment?: Entailment | undefined;
  /** By default, the system clock. */
  clock?: Clock;
}

export interface SearchResult {
  /** `none` if the index is empty. */
  mode: 'hybrid' | 'lexical' | 'none';
  /**
   * Why only keyword search was possible although an embedder is configured: the embedder failed, or the
   * index has no vectors of its model.
   */
  fellBack: 'failed' | 'other-index' | undefined;
  /** True if the table of the index no longer exists. Only a sync restores it. */
  lost?: boolean;
  /** The nearness of the best passage to the question: 0 is a miss, 1 covers the whole question. */
  nearness: number;
  /** The best passage first; at most two hundred. */
  passages: ScoredPassage[];
}

const NOTHING: SearchResult = { mode: 'none', fellBack: undefined, nearness: 0, passages: [] };
export const CANDIDATES = 100;
const MAX_QUERY_LENGTH = 2000;
/** In milliseconds. An answer based on keywords alone is better than a late one. */
const EMBEDDING_DEADLINE_MS = 5000;
const OTHER_INDEX = 'other-index';

export interface SearchOptions {
  /** Absent for all files of the workspace. */
  scope?: SearchScope | undefined;
  /** Absent for files with any facts. */
  filter?: SearchFilter | undefined;
  deadlineMs?: number | undefined;
  rerankDeadlineMs?: number | undefined;
}

/**
 * Returns the question in the form to search for. Services reject lone surrogates, or fail because of them.
 */
export function toQuery(question: string): string {
  return question.slice(0, MAX_QUERY_LENGTH).toWellFormed();
}

/** Runs keyword and semantic search (hybrid search), if the index and the embedder match. */
export async function searchPassages(
  ports: SearchPorts,
  workspaceId: string,
  question: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const query = toQuery(question);
  const found = await findCandidates(ports, workspaceId, query, options);
  return rankBest(ports, query, found, options.rerankDeadlineMs);
}

/** Returns the candidates with the best ones reranked, and the files that the question names first. */
export async function rankBest(
  ports: SearchPorts,
  query: string,
  found: SearchResult,
  rerankDeadlineMs?: number,
): Promise<SearchResult> {
  const { nearness, passages } = putNamedFirst(query, await rerank(ports, query, found, rerankDeadlineMs));
  return { ...found, nearness, passages };
}

/** Returns the passages in the order of both searches, before they are reranked. */
export async function findCandidates(
  ports: SearchPorts,
  workspaceId: string,
  query: string,
  {
    filter,
    deadlineMs = EMBEDDING_DEADLINE_MS,
    most = CANDIDATES,
    ...options
  }: SearchOptions & { most?: number },
): Promise<SearchResult> {
  const { records, vectors, embedder } = ports;
  const index = await indexes.get(records, { workspaceId });
  if (index === undefined) return NOTHING;
  const { space, renewing } = index;
  const table = await vectors.open(workspaceId, space);
  const scope = await filteredScope(records, index, filter, options.scope);
  const open: Open = (found) => withoutClosed(records, workspaceId, found);
  // While the table is being replaced, the embedding service no longer has this table's model, even under
  // the same name.
  const asked = renewing === undefined ? embedderOf(modelOf(space), embedder) : undefined;
  const [byWords, found] = await Promise.all([
    searchWords(table, query, { open, scope, most }),
    asked && searchMeaning(ports, table, { embedder: asked, question: query, deadlineMs, open, scope, most }),
  ]);
  const isOther = found === OTHER_INDEX || asked === undefined;
  const byMeaning = found === OTHER_INDEX ? undefined : found;
  const fused = byMeaning === undefined ? byWords : combine(byWords, byMeaning);
  if (fused.passages.length === 0 && (await table.count()) === 0)
    return { ...NOTHING, lost: await isLost(ports, { workspaceId, space }) };
  const { nearness, passages } = fused;
  if (byMeaning !== undefined) return { mode: 'hybrid', fellBack: undefined, nearness, passages };
  const fellBack = !isOther ? 'failed' : embedder !== undefined ? OTHER_INDEX : undefined;
  return { mode: 'lexical', fellBack, nearness, passages };
}

/** Keeps the results in this workspace that the caller may read. */
type Open = (found: ScoredPassage[]) => Promise<ScoredPassage[]>;

interface Within {
  open: Open;
  scope: SearchScope | undefined;
  /** The number of candidates of each search. */
  most: number;
}

/**
 * Searches for the words of a question. A question without a term finds nothing, because results would share
 * only its stop words.
 */
async function searchWords(
  table: PassageTable,
  query: string,
  { open, scope, most }: Within,
): Promise<Ranking> {
  const terms = termsOf(query);
  const asked = searchedTerms(query).join(' ');
  const found = terms.length === 0 ? [] : await table.searchText(asked, most, scope);
  return rankByWords(terms, await open(found), identifiersOf(query));
}

/** Undefined if the question can't be embedded now; `other-index` if the table's vectors have another length. */
async function searchMeaning(
  { embedder: configured, clock }: SearchPorts,
  table: PassageTable,
  {
    embedder,
    question,
    deadlineMs,
    open,
    scope,
    most,
  }: Within & { embedder: Embedder; question: string; deadlineMs: number },
): Promise<Ranking | undefined | typeof OTHER_INDEX> {
  const isConfigured = embedder === configured;
  const vector = await embedQuestion(table, { embedder, isConfigured, question, deadlineMs, clock });
  const dimensions = vector && (await table.dimensions());
  if (dimensions !== undefined && dimensions !== vector?.length) return OTHER_INDEX;
  return vector && rankByMeaning(await open(await table.searchVector(vector, most, scope)));
}
