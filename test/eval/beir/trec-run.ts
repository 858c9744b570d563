import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Run } from './metrics.ts';

/**
 * Reads runs in TREC format (`query Q0 document rank score tag` per line) from a file, or from the files in a
 * folder that start with a name.
 */
export async function readRuns(path: string, start: string): Promise<Map<string, Run>> {
  const isFolder = (await stat(path)).isDirectory();
  const files = isFolder
    ? (await readdir(path)).filter((name) => name.startsWith(start)).map((name) => join(path, name))
    : [path];
  const runs = new Map<string, Run>();
  for (const file of files)
    runs.set(basename(file).replace(/\.\w+$/, ''), parseRun(await readFile(file, 'utf8')));
  return runs;
}

/** Orders results by the scores, not by the ranks, as trec_eval does. */
export function parseRun(text: string): Run {
  const scored = new Map<string, { document: string; score: number }[]>();
  for (const line of text.split('\n')) {
    const [query = '', , document = '', , score = ''] = line.trim().split(/\s+/);
    if (score === '') continue;
    const found = scored.get(query) ?? [];
    found.push({ document, score: Number(score) });
    scored.set(query, found);
  }
  const ordered = [...scored].map(([query, found]) => {
    const best = found.sort((a, b) => b.score - a.score);
    return [query, best.map(({ document }) => document)] as const;
  });
  return new Map(ordered);
}

export function formatRun(run: Run, tag: string): string {
  const lines = [...run].flatMap(([query, documents]) =>
    documents.map((document, rank) => `${query} Q0 ${document} ${rank + 1} ${1 / (rank + 1)} ${tag}\n`),
  );
  return lines.join('');
}
