import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { embeddingSpaceOf } from '../../../lib/passages/embedding-space.ts';
import type { Embedder } from '../../../lib/ports/embedder.ts';
import type { Reranker } from '../../../lib/ports/reranker.ts';
import type { ScoredPassage } from '../../../lib/ports/vectors.ts';
import { type SearchPorts, searchPassages } from '../../../lib/retrieval/search.ts';
import { index } from '../evaluate.ts';
import { documentOf, type Query, readDocuments, readQueries } from './collection.ts';
import { bootstrap, type Interval, METRICS, measureRun, type Run, type Values } from './metrics.ts';
import { formatRun, readRuns } from './trec-run.ts';

interface Options {
  /** A folder per collection. */
  beir: string;
  /** Without an embedder, only keyword search is measured. */
  embedder?: Embedder | undefined;
  /** Each search mode is also measured with the reranker. */
  reranker?: Reranker | undefined;
  /** Runs to compare with: files, or folders of files. */
  baselines: string[];
  /** Folder for the runs. */
  save?: string | undefined;
}

/**
 * Far longer than any search, because a measurement, unlike a user's question, must not fall back to
 * keywords.
 */
const DEADLINE_MS = 600_000;
const NEAREST = 100;

interface MeasuredRun {
  run: Run;
  /** Median milliseconds of a search, without embedding the question. */
  medianMs?: number;
}

/**
 * Prints the search quality for each collection of a folder, next to the baselines that have runs of its
 * queries.
 */
export async function runCollections(options: Options, scratch: string): Promise<void> {
  const entries = await readdir(options.beir, { withFileTypes: true });
  for (const name of entries
    .filter((entry) => !entry.isFile())
    .map((entry) => entry.name)
    .sort()) {
    const folder = join(options.beir, name);
    const queries = await readQueries(folder);
    const own = await readBaselines(options.baselines, name, queries);
    const runs = await searchCollection(folder, queries, options, join(scratch, name));
    if (options.save !== undefined) await saveRuns(options.save, name, runs);
    printRuns(queries, { ...Object.fromEntries(own.map(([key, run]) => [key, { run }])), ...runs });
    printDifferences(queries, runs, own);
  }
}

/**
 * Returns the runs of a collection: in a folder, those whose names start with its name, as `--save` writes
 * them.
 */
async function readBaselines(
  paths: string[],
  collection: string,
  queries: Query[],
): Promise<[string, Run][]> {
  const found: [string, Run][] = [];
  for (const path of paths) found.push(...(await readRuns(path, `${collection}-`)));
  return found.filter(([, run]) => queries.some(({ id }) => run.has(id)));
}

async function searchCollection(
  folder: string,
  queries: Query[],
  { embedder: service, reranker }: Options,
  place: string,
): Promise<Record<string, MeasuredRun>> {
  const rows = await readDocuments(folder);
  console.log(`\n${basename(folder)}: ${queries.length} queries, ${rows.length} passages`);
  const embedder = service && (await remembering(service, queries));
  const ports = await index(place, rows, embedder);
  const runs: Record<string, MeasuredRun> = {};
  const measure = async (way: 'words' | 'hybrid', bare: SearchPorts) => {
    runs[way] = await search(queries, (query) => findWith(bare, query, way));
    if (reranker !== undefined) runs[`${way}-reranked`] = await searchReranked(queries, bare, reranker, way);
  };
  await measure('words', { ...ports, embedder: undefined });
  if (embedder === undefined) return runs;
  const table = await ports.vectors.open('eval', embeddingSpaceOf(embedder));
  runs.vectors = await search(queries, async (query) => {
    const [vector = new Float32Array()] = await embedder.embed([query], { question: true });
    return table.searchVector(vector, NEAREST);
  });
  await measure('hybrid', ports);
  return runs;
}

/** Throws if the reranker failed, because a search continues without it. */
async function searchReranked(
  queries: Query[],
  ports: SearchPorts,
  { model, rerank }: Reranker,
  way: 'words' | 'hybrid',
): Promise<MeasuredRun> {
  let failure: unknown;
  const noted: Reranker['rerank'] = async (...asked) => {
    try {
      return await rerank(...asked);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  const run = await search(queries, (query) =>
    findWith({ ...ports, reranker: { model, rerank: noted } }, query, way),
  );
  if (failure !== undefined) throw new Error('the reranker failed', { cause: failure });
  return run;
}

/** Embeds the questions before the searches, so that the searches' times don't include it. */
async function remembering(embedder: Embedder, queries: Query[]): Promise<Embedder> {
  const texts = [...new Set(queries.map(({ text }) => text))];
  const vectors = await embedder.embed(texts, { question: true });
  const known = new Map(texts.map((text, place) => [text, vectors[place]]));
  return {
    ...embedder,
    async embed(asked, options) {
      const found = asked.map((text) => known.get(text));
      return found.every((vector) => vector !== undefined) ? found : embedder.embed(asked, options);
    },
  };
}

async function findWith(ports: SearchPorts, query: string, way: 'words' | 'hybrid') {
  const mode = way === 'words' ? 'lexical' : way;
  const found = await searchPassages(ports, 'eval', query, {
    deadlineMs: DEADLINE_MS,
    rerankDeadlineMs: DEADLINE_MS,
  });
  if (found.mode !== mode) throw new Error(`the search was ${found.mode}, not ${mode}`);
  return found.passages;
}

/** A document's rank is that of its best passage. */
async function search(
  queries: Query[],
  find: (query: string) => Promise<ScoredPassage[]>,
): Promise<MeasuredRun> {
  const run = new Map<string, string[]>();
  const times: number[] = [];
  for (const { id, text } of queries) {
    const startedAt = performance.now();
    const passages = await find(text);
    times.push(performance.now() - startedAt);
    run.set(id, [...new Set(passages.map(({ path }) => documentOf(path)))]);
  }
  times.sort((a, b) => a - b);
  return { run, medianMs: times[Math.floor(times.length / 2)] ?? 0 };
}

async function saveRuns(folder: string, collection: string, runs: Record<string, MeasuredRun>) {
  await mkdir(folder, { recursive: true });
  for (const [way, { run }] of Object.entries(runs)) {
    await writeFile(join(folder, `${collection}-${way}.trec`), formatRun(run, way));
  }
}

function printRuns(queries: Query[], runs: Record<string, MeasuredRun>): void {
  console.log(`${' '.repeat(24)}${METRICS.map((metric) => metric.padEnd(21)).join('')}ms`);
  for (const [way, { run, medianMs }] of Object.entries(runs)) {
    const values = measureRun(queries, run);
    const cells = METRICS.map((metric) => format(bootstrap(values[metric])).padEnd(21));
    console.log(`${way.padEnd(24)}${cells.join('')}${medianMs?.toFixed(1) ?? ''}`);
  }
}

/** Prints paired differences over the queries. An interval without zero shows a difference. */
function printDifferences(
  queries: Query[],
  runs: Record<string, MeasuredRun>,
  baselines: [string, Run][],
): void {
  for (const [way, { run }] of Object.entries(runs)) {
    for (const [name, baseline] of baselines) {
      const [ours, theirs] = [measureRun(queries, run), measureRun(queries, baseline)];
      const cells = METRICS.map((metric) =>
        format(bootstrap(differences(ours, theirs, metric)), true).padEnd(24),
      );
      console.log(`${`${way} - ${name}`.padEnd(36)}${cells.join('')}`);
    }
  }
}

function differences(ours: Values, theirs: Values, metric: keyof Values): number[] {
  return ours[metric].map((value, place) => value - (theirs[metric][place] ?? 0));
}

function format({ mean, low, high }: Interval, signed = false): string {
  const [middle, from, to] = [mean, low, high].map(
    (value) => `${signed && value > 0 ? '+' : ''}${value.toFixed(3)}`,
  );
  return `${middle} [${from}, ${to}]${signed && (low > 0 || high < 0) ? ' *' : ''}`;
}
