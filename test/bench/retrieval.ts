import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, rerankers } from '@lancedb/lancedb';
import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { embeddingSpaceOf } from '../../lib/passages/embedding-space.ts';
import { indexes } from '../../lib/passages/search-space.ts';
import type { Embedder } from '../../lib/ports/embedder.ts';
import type { PassageRow, PassageTable } from '../../lib/ports/vectors.ts';
import { searchPassages } from '../../lib/retrieval/search.ts';
import { clusteredVector, DIMENSIONS } from './dense-vectors.ts';
import { percentile, timedEach } from './load.ts';
import { type BenchRow, ms } from './table.ts';

const QUERIES = 100;
const WORKSPACE = 'bench';

/** Compares chat's retrieval with LanceDB's own hybrid query on the same table. */
export async function benchRetrieval(): Promise<BenchRow[]> {
  return [...(await benchTable(10_000)), ...(await benchTable(40_000))];
}

async function benchTable(count: number): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wrs-bench-'));
  try {
    const vectors = lancedbVectors(join(folder, 'vectors'));
    const embedder = clusterEmbedder();
    const space = embeddingSpaceOf(embedder);
    const table = await vectors.open(WORKSPACE, space);
    await fill(table, count);
    await table.maintain();
    const records = sqliteRecords(openDatabase(folder));
    await indexes.put(records, { workspaceId: WORKSPACE, space });
    const search = (index: number) =>
      searchPassages({ records, vectors, embedder }, WORKSPACE, question(index));
    const raw = await rawSearch(join(folder, 'vectors', WORKSPACE), space);
    await timedEach(10, search);
    await timedEach(10, raw);
    const ours = await timedEach(QUERIES, search);
    const theirs = await timedEach(QUERIES, raw);
    const [p50, p95] = [percentile(ours, 0.5), percentile(ours, 0.95)];
    const [rawP50, rawP95] = [percentile(theirs, 0.5), percentile(theirs, 0.95)];
    return [
      {
        measure: `retrieval over ${count / 1000}k passages x ${DIMENSIONS}, p50 / p95`,
        ours: `${ms(p50)} / ${ms(p95)}`,
        baseline: `LanceDB hybrid on the same table ${ms(rawP50)} / ${ms(rawP95)}`,
        aim: 'p50 within 1.5x',
        met: p50 < 1.5 * rawP50,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The same query in LanceDB's API: full text and vectors, fused by its reranker, with the same candidates and
 * columns.
 */
async function rawSearch(folder: string, space: string): Promise<(index: number) => Promise<unknown>> {
  const table = await (await connect(folder, { readConsistencyInterval: 0 })).openTable(space);
  const reranker = await rerankers.RRFReranker.create(60);
  return (index) =>
    table
      .query()
      .fullTextSearch(question(index), { columns: ['search_text'] })
      .nearestTo(clusteredVector(index))
      .distanceType('dot')
      .rerank(reranker)
      .select([
        'path',
        'chunk',
        'text',
        'start_line',
        'end_line',
        'start_char',
        'end_char',
        'part',
        'file_hash',
      ])
      .limit(50)
      .toArray();
}

async function fill(table: PassageTable, count: number): Promise<void> {
  for (let start = 0; start < count; start += 5000) {
    const rows = Array.from({ length: Math.min(5000, count - start) }, (_, offset) =>
      passageRow(start + offset),
    );
    await table.write(rows, []);
  }
}

function passageRow(index: number): PassageRow {
  return {
    path: `folder-${index % 40}/file-${Math.floor(index / 8)}.md`,
    chunk: index % 8,
    fileHash: 'bench',
    text: words(index, 80),
    startLine: 1,
    endLine: 4,
    startChar: 0,
    endChar: 600,
    part: {},
    context: '',
    vector: clusteredVector(index),
  };
}

function words(seed: number, count: number): string {
  return Array.from(
    { length: count },
    (_, place) => `term${(seed * 131 + place * place * 17) % 20_000}`,
  ).join(' ');
}

function question(index: number): string {
  return words(index * 97, 4);
}

function clusterEmbedder(): Embedder {
  let next = 0;
  return { model: 'bench', batchSize: 100, embed: async (texts) => texts.map(() => clusteredVector(next++)) };
}
