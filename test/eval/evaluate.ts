import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { readingFormat } from '../../lib/formats/all-formats.ts';
import { extract } from '../../lib/formats/extract.ts';
import { chunkText } from '../../lib/indexing/read/chunk.ts';
import { embeddedText } from '../../lib/passages/embedded-text.ts';
import { embeddingSpaceOf } from '../../lib/passages/embedding-space.ts';
import { indexes } from '../../lib/passages/search-space.ts';
import type { Embedder } from '../../lib/ports/embedder.ts';
import type { PassageRow, ScoredPassage } from '../../lib/ports/vectors.ts';
import { isNear } from '../../lib/retrieval/rank/near.ts';
import { type SearchPorts, searchPassages } from '../../lib/retrieval/search.ts';

/** A question with the files that answer it; an empty list if no file does. */
export interface Question {
  files: string[];
  text: string;
}

/** Quality of the answers, from 0 to 1. */
export interface Quality {
  /** Counts the first ten files. */
  ndcg: number;
  /** The share of questions for which a passage of a correct file is found. */
  recall: number;
  /** The share of questions for which the first file is correct. */
  first: number;
}

/** Lines of `file[,file]<tab>question`; `-` if no file answers it. */
export async function readQuestions(path: string): Promise<Question[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.includes('\t'));
  return lines.map((line) => {
    const [files = '', text = ''] = line.split('\t');
    return { files: files === '-' ? [] : files.split(','), text };
  });
}

/** Returns the passages of every Markdown file in a folder, chunked as in the index. */
export async function readPassages(folder: string): Promise<PassageRow[]> {
  const entries = await readdir(folder, { recursive: true });
  const paths = entries.filter((path) => path.endsWith('.md') && !path.endsWith('release-notes.md')).sort();
  const rows: PassageRow[] = [];
  for (const path of paths) {
    const extracted = await extract(readingFormat(path), await readFile(join(folder, path)));
    chunkText(extracted).forEach((chunk, index) => {
      rows.push({ ...chunk, path, chunk: index, fileHash: path, vector: null });
    });
  }
  return rows;
}

/** Creates a workspace with these passages, on real stores in a folder. */
export async function index(
  folder: string,
  rows: PassageRow[],
  embedder: Embedder | undefined,
): Promise<SearchPorts> {
  await mkdir(folder, { recursive: true });
  const vectors = lancedbVectors(join(folder, 'vectors'));
  const records = sqliteRecords(openDatabase(folder));
  const space = embeddingSpaceOf(embedder);
  const table = await vectors.open('eval', space);
  const embedded = await embedder?.embed(rows.map(embeddedText));
  await table.write(
    rows.map((row, place) => ({ ...row, vector: embedded?.[place] ?? null })),
    [],
  );
  await table.maintain();
  await indexes.put(records, { workspaceId: 'eval', space });
  return { records, vectors, embedder };
}

export type Find = (question: string) => Promise<ScoredPassage[]>;

export function finder(ports: SearchPorts): Find {
  return async (question) => (await searchPassages(ports, 'eval', question)).passages;
}

export async function measure(questions: Question[], find: Find): Promise<Quality> {
  const qualities: Quality[] = [];
  for (const { files, text } of questions) {
    if (files.length === 0) continue;
    const found = [...new Set((await find(text)).map(({ path }) => path))];
    qualities.push({
      ndcg: ndcg(found.slice(0, 10), files),
      recall: found.some((path) => files.includes(path)) ? 1 : 0,
      first: files.includes(found[0] ?? '') ? 1 : 0,
    });
  }
  const mean = (of: keyof Quality) => qualities.reduce((sum, each) => sum + each[of], 0) / qualities.length;
  return { ndcg: mean('ndcg'), recall: mean('recall'), first: mean('first') };
}

function ndcg(found: string[], files: string[]): number {
  const gain = (place: number) => 1 / Math.log2(place + 2);
  const gained = found.reduce((sum, path, place) => sum + (files.includes(path) ? gain(place) : 0), 0);
  return gained / files.reduce((sum, _, place) => sum + gain(place), 0);
}

/**
 * Counts the questions whose answer warns that no passage is close, separately for questions that no file
 * answers and for the others.
 */
export async function measureNotice(questions: Question[], ports: SearchPorts) {
  const counts = { answerable: [0, 0], unanswerable: [0, 0] } satisfies Record<string, [number, number]>;
  for (const { files, text } of questions) {
    const count = files.length > 0 ? counts.answerable : counts.unanswerable;
    count[1] = (count[1] ?? 0) + 1;
    if (!isNear(await searchPassages(ports, 'eval', text))) count[0] = (count[0] ?? 0) + 1;
  }
  const share = ([said = 0, all = 0]: number[]) => said / all;
  return { unanswerable: share(counts.unanswerable), answerable: share(counts.answerable) };
}
