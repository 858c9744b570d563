import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Counts, countsOf, type Match, matchesOf, totalOf } from './count.ts';
import { PATTERNS } from './patterns.ts';
import type { Place } from './texts.ts';

/**
 * `npx node test/infra/words/refused.ts [FOLDER]` prints a table of refused phrases per pattern and place. `--list NAME` prints
 * the matches of the files whose path contains NAME, `--lower` writes the baseline: a total never rises, so files may move.
 */
const PLACES: Place[] = ['ui', 'docs', 'cli', 'routes', 'messages', 'comments', 'test titles'];
const BASELINE = join(import.meta.dirname, 'baseline.json');

const { values, positionals } = parseArgs({
  options: { lower: { type: 'boolean' }, list: { type: 'string' } },
  allowPositionals: true,
});
const matches = matchesOf(resolve(positionals[0] ?? join(import.meta.dirname, '../../..')));
if (values.list !== undefined) printMatches(values.list);
else if (values.lower === true) lower();
else printTable();

function printMatches(name: string): void {
  for (const { file, place, pattern, shown } of matches)
    if (file.includes(name)) print(`${file} [${place}] ${pattern.name} → ${pattern.use}: …${shown}…`);
}

function printTable(): void {
  print(`| group | pattern | ${PLACES.join(' | ')} | all |`);
  print(`|---|---|${PLACES.map(() => '--:|').join('')}--:|`);
  for (const { name, group } of PATTERNS)
    printRow(
      group,
      name,
      matches.filter(({ pattern }) => pattern.name === name),
    );
  for (const group of ['never', 'fewer'] as const)
    printRow(
      group,
      'all',
      matches.filter(({ pattern }) => pattern.group === group),
    );
}

function printRow(group: string, name: string, found: Match[]): void {
  const counts = PLACES.map((place) => found.filter((match) => match.place === place).length);
  print(`| ${[group, name, ...counts, found.length].join(' | ')} |`);
}

function lower(): void {
  const before = JSON.parse(readFileSync(BASELINE, 'utf8')) as Counts;
  const now = countsOf(matches);
  for (const group of ['never', 'fewer'] as const) {
    const [was, is] = [totalOf(before[group]), totalOf(now[group])];
    if (is > was)
      throw new Error(`${group}: ${is} matches, but the baseline has ${was}. Reword the new ones.`);
    print(`${group}: ${was} → ${is}`);
  }
  writeFileSync(BASELINE, `${JSON.stringify(now, null, 1)}\n`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
