// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell variables
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the next number of a seeded sequence, from 0 to 1. */
export type Random = () => number;

/** Mulberry32: a million numbers take a fraction of a second. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Reads a table with one line per row; ␤ is a line break. */
export function tableOf(name: string): string[] {
  const rows = readFileSync(join(import.meta.dirname, name), 'utf8')
    .trim()
    .split('\n');
  return rows.map((row) => row.replaceAll('␤', '\n'));
}

/** No line may end other processes, or wait. Other programs aren't found. */
const AGENT_LINES = tableOf('agent-lines.txt').filter((line) => !/kill|tail -f/.test(line));
const SEEDS = [...tableOf('hostile-lines.txt'), ...AGENT_LINES.map((line) => line.replaceAll('/tmp/', './'))];
/** Word separators, opening characters, and names with a special meaning. */
const PIECES = [
  ...'` $( ) ( { } " \' \\ ; & | < > << <<- <<< <( >( $ ${ $(( )) =( a=( a=() @( !( $\' $" [ ] [[ ]] * ? ~ # ! = += + >& <& &> >> 2>&1 |& && || ;; :'.split(
    ' ',
  ),
  ...'canary `canary` $(canary) "$(canary)" (canary) \'$(canary)\' a[$(canary)] $x ${x} ${x@P} "$x" $w $? in out a= a=1 {a,b} {} E <<E <<\'E\' do then eval'.split(
    ' ',
  ),
  ...'.git .git/hooks/h hooks/h git --git-dir -exec -execdir -c -o xargs find time env cd'.split(' '),
  ...' |\n|\t|\r|\\\n|\nE\n|; canary|\ncanary\n|\u00a0|é'.split('|'),
];
const MAX_CHANGES = 4;
const MAX_SPAN = 8;

/**
 * Returns a seed after some changes to its bytes: inserted, removed, moved, replaced, or joined with another
 * seed.
 */
export function mutatedLine(random: Random): string {
  let line = pick(random, SEEDS);
  for (let left = below(random, MAX_CHANGES + 1); left > 0; left -= 1) line = changed(random, line);
  return line;
}

function changed(random: Random, line: string): string {
  const [from, span] = [below(random, line.length + 1), 1 + below(random, MAX_SPAN)];
  const [before, cut, after] = [line.slice(0, from), line.slice(from, from + span), line.slice(from + span)];
  const to = below(random, before.length + 1);
  const ways = [
    () => `${before}${pick(random, PIECES)}${cut}${after}`,
    () => `${before}${pick(random, PIECES)}${cut}${after}`,
    () => `${before}${pick(random, PIECES)}${after}`,
    () => `${before}${after}`,
    () => `${before}${String.fromCharCode(1 + below(random, 127))}${cut.slice(1)}${after}`,
    () => `${line.slice(0, to)}${cut}${line.slice(to)}`,
    () => `${before}${pick(random, SEEDS).slice(below(random, 20))}`,
  ];
  return pick(random, ways)();
}

function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
