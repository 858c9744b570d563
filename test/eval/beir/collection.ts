import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readingFormat } from '../../../lib/formats/all-formats.ts';
import { extract } from '../../../lib/formats/extract.ts';
import { chunkText } from '../../../lib/indexing/read/chunk.ts';
import type { PassageRow } from '../../../lib/ports/vectors.ts';

/** Relevance of each judged document for a query, by document ID. */
type Judgments = ReadonlyMap<string, number>;

export interface Query {
  id: string;
  text: string;
  judgments: Judgments;
}

interface Document {
  _id: string;
  title?: string;
  text: string;
}

/** Returns the queries of a collection in BEIR's form for which at least one document is relevant. */
export async function readQueries(folder: string): Promise<Query[]> {
  const judgments = new Map<string, Map<string, number>>();
  for (const line of (await readFile(judgmentsOf(folder), 'utf8')).split('\n').slice(1)) {
    const [query = '', document = '', score = '0'] = line.trim().split('\t');
    if (Number(score) <= 0) continue;
    judgments.set(query, (judgments.get(query) ?? new Map()).set(document, Number(score)));
  }
  const asked = await readLines<{ _id: string; text: string }>(join(folder, 'queries.jsonl'));
  return asked.flatMap(({ _id: id, text }) => {
    const own = judgments.get(id);
    return own === undefined ? [] : [{ id, text, judgments: own }];
  });
}

function judgmentsOf(folder: string): string {
  const paths = ['test', 'dev'].map((split) => join(folder, 'qrels', `${split}.tsv`));
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${folder} has neither qrels/test.tsv nor qrels/dev.tsv`);
  return found;
}

/** Returns the passages of a collection whose documents are Markdown files with their title as heading. */
export async function readDocuments(folder: string): Promise<PassageRow[]> {
  const rows: PassageRow[] = [];
  for (const document of await readLines<Document>(join(folder, 'corpus.jsonl'))) {
    const path = pathOf(document._id);
    const extracted = await extract(readingFormat(path), Buffer.from(asMarkdown(document)));
    chunkText(extracted).forEach((chunk, index) => {
      rows.push({ ...chunk, path, chunk: index, fileHash: path, vector: null });
    });
  }
  return rows;
}

function asMarkdown({ title = '', text }: Document): string {
  const heading = title.replace(/\s+/g, ' ').trim();
  return heading === '' ? `${text}\n` : `# ${heading}\n\n${text}\n`;
}

function pathOf(id: string): string {
  return `${encodeURIComponent(id)}.md`;
}

/** Returns the ID of the document that a file contains. */
export function documentOf(path: string): string {
  return decodeURIComponent(path.slice(0, -'.md'.length));
}

async function readLines<Line>(path: string): Promise<Line[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}
