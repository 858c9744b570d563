import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { embeddedText } from '../../lib/passages/embedded-text.ts';
import { embeddingSpaceOf } from '../../lib/passages/embedding-space.ts';
import type { Embedder } from '../../lib/ports/embedder.ts';
import type { PassageRow } from '../../lib/ports/vectors.ts';
import { runCollections } from './beir/run-collections.ts';
import { openServices } from './beir/search-services.ts';
import { coOccurrenceEmbedder } from './co-occurrence-embedder.ts';
import { evalSets } from './eval-sets.ts';
import {
  type Find,
  finder,
  index,
  measure,
  measureNotice,
  type Question,
  readPassages,
  readQuestions,
} from './evaluate.ts';
import { serviceEmbedder } from './service-embedder.ts';
import { trigramReranker } from './trigram-reranker.ts';

/**
 * `npm run eval`: search quality with and without each part of the search; exits with 1 if it is below the
 * baseline. `npm run eval -- http://127.0.0.1:8001/v1` uses the vectors of that embedding service, without
 * minimums for them. `npm run eval -- --beir FOLDER` measures the collections in a folder instead, each in
 * BEIR's format; `--embedder URL` adds vectors, `--reranker URL` a reranker, `--local` both as installed in
 * DATA_DIR, `--baseline RUN` compares with a run in TREC format, and `--save FOLDER` writes the runs.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    beir: { type: 'string' },
    embedder: { type: 'string' },
    reranker: { type: 'string' },
    local: { type: 'boolean', default: false },
    baseline: { type: 'string', multiple: true, default: [] },
    save: { type: 'string' },
  },
});
const [embeddingUrl] = positionals;
const scratch = await mkdtemp(join(tmpdir(), 'wrs-eval-'));
let worse = 0;
try {
  const { beir, baseline: baselines, save } = options;
  if (beir !== undefined) {
    const { stop, ...services } = await openServices(options);
    await runCollections({ beir, baselines, save, ...services }, scratch).finally(stop);
  }
  for (const set of beir === undefined ? await evalSets() : []) {
    const questions = await readQuestions(set.questions);
    const rows = await readPassages(set.folder);
    console.log(`\n${set.name}: ${questions.length} questions, ${rows.length} passages`);
    console.log('                                nDCG@10  recall@50  first file');
    for (const [name, find] of Object.entries(await waysToSearch(set.name, rows))) {
      const { ndcg, recall, first } = await measure(questions, find);
      const gate = embeddingUrl === undefined || name.startsWith('words') ? set.gates[name] : undefined;
      const isWorse = gate !== undefined && ndcg < gate;
      if (isWorse) worse++;
      const note = gate === undefined ? '' : `  gate ${gate.toFixed(3)}${isWorse ? ' MISSED' : ''}`;
      console.log(
        `${name.padEnd(32)}${[ndcg, recall, first].map((value) => value.toFixed(3).padEnd(9)).join(' ')}${note}`,
      );
    }
    await printNotice(set.name, questions, rows);
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exit(worse > 0 ? 1 : 0);

async function waysToSearch(set: string, rows: PassageRow[]): Promise<Record<string, Find>> {
  const place = (name: string) => join(scratch, set, name);
  const bare = rows.map((row) => ({ ...row, context: '' }));
  const embedder = embedderFor(rows);
  const words = await index(place('words'), rows, undefined);
  const bareWords = await index(place('bare'), bare, undefined);
  const hybrid = await index(place('hybrid'), rows, embedder);
  const bareHybrid = await index(place('bare-hybrid'), bare, embedder);
  const table = await words.vectors.open('eval', embeddingSpaceOf(undefined));
  const vectors = await hybrid.vectors.open('eval', embeddingSpaceOf(embedder));
  return {
    words: finder(words),
    'words, without contexts': finder(bareWords),
    'words, as full text ranks them': (question) => table.searchText(question, 50),
    vectors: async (question) => {
      const [vector = new Float32Array()] = await embedder.embed([question]);
      return vectors.searchVector(vector, 50);
    },
    hybrid: finder(hybrid),
    'hybrid, without contexts': finder(bareHybrid),
    'hybrid, with a reranker': finder({ ...hybrid, reranker: trigramReranker }),
  };
}

/** Returns the given service, or its replacement. */
function embedderFor(rows: PassageRow[]): Embedder {
  if (embeddingUrl === undefined) return coOccurrenceEmbedder(rows.map(embeddedText));
  return serviceEmbedder(embeddingUrl);
}

/** Prints how often `nothing-near` is reported, for questions that no file answers and for the others. */
async function printNotice(set: string, questions: Question[], rows: PassageRow[]): Promise<void> {
  if (questions.every(({ files }) => files.length > 0)) return;
  const ways = { words: undefined, ...(embeddingUrl !== undefined && { hybrid: embedderFor(rows) }) };
  for (const [way, embedder] of Object.entries(ways)) {
    const ports = await index(join(scratch, set, 'notice', way), rows, embedder);
    const { unanswerable, answerable } = await measureNotice(questions, ports);
    console.log(
      `nothing near, ${way}: said of ${percent(unanswerable)} of what no file answers, of ${percent(answerable)} of the others`,
    );
  }
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}
