import { forEachConcurrent } from '../async/for-each-concurrent.ts';
import { embedderOfOneQuestion } from './embed-question.ts';
import { orderFairly } from './rank/fair-order.ts';
import {
  CANDIDATES,
  findCandidates,
  rankBest,
  type SearchOptions,
  type SearchPorts,
  type SearchResult,
  toQuery,
} from './search.ts';

/** The number of workspaces that are searched at once. */
const AT_ONCE = 8;
/** The maximum number of candidates from all workspaces together, and the minimum from each. */
const MAX_CANDIDATES = 2 * CANDIDATES;
const LEAST_CANDIDATES = 10;

/**
 * Searches several workspaces with one embedding of the question and one reranking. A search scores by
 * nearness to the question, which is comparable between collections, unlike the scores of keywords and
 * vectors.
 */
export async function searchWorkspaces(
  ports: SearchPorts,
  workspaceIds: readonly string[],
  question: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const query = toQuery(question);
  const shared = { ...ports, embedder: ports.embedder && embedderOfOneQuestion(ports.embedder) };
  const most = candidatesOfEach(workspaceIds.length);
  const found: SearchResult[] = [];
  await forEachConcurrent(workspaceIds.entries(), AT_ONCE, async ([at, workspaceId]) => {
    const result = await findCandidates(shared, workspaceId, query, { ...options, most });
    found[at] = { ...result, passages: result.passages.map((passage) => ({ ...passage, workspaceId })) };
  });
  const best = await rankBest(ports, query, joinResults(found), options.rerankDeadlineMs);
  const passages = orderFairly(best.passages).map(({ passage, worth }) => ({ ...passage, score: worth }));
  return { ...best, passages };
}

function candidatesOfEach(workspaces: number): number {
  const share = Math.ceil(MAX_CANDIDATES / workspaces);
  return Math.max(LEAST_CANDIDATES, Math.min(CANDIDATES, share));
}

function joinResults(found: SearchResult[]): SearchResult {
  const indexed = found.filter(({ mode }) => mode !== 'none');
  const isHybrid = indexed.some(({ mode }) => mode === 'hybrid');
  return {
    mode: isHybrid ? 'hybrid' : indexed.length > 0 ? 'lexical' : 'none',
    fellBack: indexed.find(({ fellBack }) => fellBack)?.fellBack,
    lost: found.some(({ lost }) => lost),
    nearness: Math.max(0, ...found.map(({ nearness }) => nearness)),
    passages: orderFairly(found.flatMap(({ passages }) => passages)).map(({ passage }) => passage),
  };
}
