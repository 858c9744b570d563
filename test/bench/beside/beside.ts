import { resolve } from 'node:path';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { denseVector } from '../dense-vectors.ts';
import { percentile } from '../load.ts';
import { closePosts } from '../post.ts';
import { build, checkOut, lastTag } from './check-out.ts';
import { MEASURES, type Measure, type Measured, measure } from './measures.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/**
 * A median this much worse is a regression if every round was worse, because noise changes a measure in both
 * directions.
 */
const REGRESSION = 0.1;

interface Compared {
  name: Measure;
  before: number;
  now: number;
  /** The median now, divided by the median before. */
  ratio: number;
  least: number;
  most: number;
  isWorse: boolean;
}

/**
 * `npm run bench -- beside [COMMIT] [--rounds N]`: measures this checkout and another commit (the last tag)
 * alternately on the same machine. Returns the measures whose median became worse by more than a tenth, and
 * which were worse in every round.
 */
export async function benchBeside(commit: string | undefined, rounds: number): Promise<string[]> {
  const named = commit ?? (await lastTag());
  if (named === undefined) {
    console.log('There is no tag yet to compare with. Name a commit: npm run bench -- beside COMMIT');
    return [];
  }
  const other = await checkOut(named);
  for (const checkout of [other, ROOT]) await build(checkout);
  const all = await measureInTurns(other, rounds);
  const compared = (Object.keys(MEASURES) as Measure[]).flatMap((name) => compare(name, all));
  print(named, compared);
  return compared.filter(({ isWorse }) => isWorse).map(({ name }) => name);
}

interface Round {
  before: Measured;
  now: Measured;
}

/**
 * The other commit is first in every second round, because the second one finds files in the operating
 * system's cache.
 */
async function measureInTurns(other: string, rounds: number): Promise<Round[]> {
  const provider = await startFakeOpenai({ vectorOf: denseVector });
  const all: Round[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      process.stderr.write(`round ${round + 1} of ${rounds} …\n`);
      const first = await measure(round % 2 === 0 ? other : ROOT, provider);
      const second = await measure(round % 2 === 0 ? ROOT : other, provider);
      all.push(round % 2 === 0 ? { before: first, now: second } : { before: second, now: first });
    }
  } finally {
    closePosts();
    await provider.stop();
  }
  return all;
}

/** Exported for its test. */
export function compare(name: Measure, rounds: Round[]): Compared[] {
  const pairs = rounds.flatMap(({ before: { [name]: before }, now: { [name]: now } }) =>
    before === undefined || now === undefined ? [] : [{ before, now }],
  );
  if (pairs.length === 0) return [];
  const before = percentile(
    pairs.map((pair) => pair.before),
    0.5,
  );
  const now = percentile(
    pairs.map((pair) => pair.now),
    0.5,
  );
  const ratios = pairs.map((pair) => pair.now / pair.before);
  const loss = (ratio: number) => (MEASURES[name].isMoreBetter ? 1 - ratio : ratio - 1);
  const isWorse = loss(now / before) > REGRESSION && ratios.every((ratio) => loss(ratio) > 0);
  return [
    {
      name,
      before,
      now,
      ratio: now / before,
      least: Math.min(...ratios),
      most: Math.max(...ratios),
      isWorse,
    },
  ];
}

function print(commit: string, compared: Compared[]): void {
  const shown = (name: Measure, value: number) =>
    `${value < 100 ? value.toFixed(1) : Math.round(value)} ${MEASURES[name].unit}`;
  const rows = compared.map(({ name, before, now, ratio, least, most, isWorse }) => [
    ...[name, shown(name, before), shown(name, now)],
    `${ratio.toFixed(2)} [${least.toFixed(2)}, ${most.toFixed(2)}]`,
    isWorse ? 'WORSE' : '',
  ]);
  const lines = [['measure', commit.slice(0, 12), 'now', 'ratio [least, most]', ''], ...rows];
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
