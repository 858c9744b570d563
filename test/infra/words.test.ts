import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Counts, countsOf, type Match, matchesOf } from './words/count.ts';
import { PATTERNS } from './words/patterns.ts';
import { textsOf } from './words/texts.ts';
import { tokensOf } from './words/tokens.ts';

const root = resolve(import.meta.dirname, '../..');
const baseline = JSON.parse(readFileSync(join(root, 'test/infra/words/baseline.json'), 'utf8')) as Counts;

/** Lists the matches of the files that have more than the baseline allows. */
function risen(matches: Match[], group: keyof Counts): string[] {
  const counts = countsOf(matches)[group];
  return matches
    .filter(({ pattern }) => pattern.group === group)
    .filter(({ file }) => (counts[file] ?? 0) > (baseline[group][file] ?? 0))
    .map(({ file, place, pattern, shown }) => `${file} (${place}): "…${shown}…" → ${pattern.use}`);
}

describe('refused phrases', () => {
  const matches = matchesOf(root);

  it.each(['never', 'fewer'] as const)(
    'of the group "%s" grow in no file (npx node test/infra/words/refused.ts --lower writes a lower baseline)',
    (group) => expect(risen(matches, group)).toEqual([]),
  );

  it('are searched for in every kind of text', () => {
    const places = Map.groupBy(textsOf(root), ({ place }) => place);
    for (const place of ['ui', 'docs', 'cli', 'routes', 'messages', 'comments', 'test titles'] as const)
      expect(places.get(place)?.length ?? 0).toBeGreaterThan(20);
  });
});

describe('a pattern', () => {
  it.each(PATTERNS.flatMap(({ name, find, examples }) => examples.map((text) => ({ name, find, text }))))(
    '$name matches: $text',
    ({ find, text }) => expect(text.match(find)).not.toBeNull(),
  );

  it.each(
    PATTERNS.flatMap(({ name, find, counterexamples }) =>
      counterexamples.map((text) => ({ name, find, text })),
    ),
  )('$name does not match: $text', ({ find, text }) => expect(text.match(find)).toBeNull());
});

describe('tokensOf', () => {
  const read = (source: string) => tokensOf(source).map(({ kind, value }) => [kind, value]);

  it('distinguishes comments from strings', () => {
    expect(read("const a = 'it // is'; // it's\n/* b 'c' */ f(\"d\");")).toEqual([
      ['text', 'it // is'],
      ['comment', "// it's"],
      ['comment', "/* b 'c' */"],
      ['text', 'd'],
    ]);
  });

  it('reads the parts of a template literal, including nested ones', () => {
    const placeholder = (code: string) => `$\{${code}}`;
    expect(read(`\`a ${placeholder(`b.toString({ c: \`d ${placeholder('e')}\` })`)} f\` + \`g\``)).toEqual([
      ['text', 'a '],
      ['text', 'd '],
      ['text', ''],
      ['text', ' f'],
      ['text', 'g'],
    ]);
  });

  it('takes no quote in a regular expression for a string, and no division for a regular expression', () => {
    expect(read("x.match(/['\"/]/g) || a / b / c || 'd'")).toEqual([['text', 'd']]);
  });
});
