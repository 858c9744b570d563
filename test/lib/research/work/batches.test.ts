import { expect, it } from '@jest/globals';
import { PASSAGES_A_CALL } from '../../../../lib/research/depths.ts';
import type { Gathered } from '../../../../lib/research/gather/files.ts';
import { batchesOf } from '../../../../lib/research/work/read-passages.ts';

const gathered = (path: string, chunk = 0, text = 'An owl.') =>
  ({ passage: { path, chunk, text }, source: { kind: 'file', title: path } }) as Gathered;
const namesOf = (batches: Gathered[][]) =>
  batches.map((batch) => batch.map(({ passage: { path, chunk } }) => `${path}#${chunk}`));

it('batchesOf creates the same batches for the same passages in any order', () => {
  const ranked = [gathered('new.md'), gathered('hawks.md', 2), gathered('owls.md'), gathered('hawks.md', 1)];
  const later = [gathered('hawks.md', 1), gathered('owls.md'), gathered('new.md'), gathered('hawks.md', 2)];
  expect(namesOf(batchesOf(ranked))).toEqual([['hawks.md#1', 'hawks.md#2', 'new.md#0', 'owls.md#0']]);
  expect(namesOf(batchesOf(later))).toEqual(namesOf(batchesOf(ranked)));
});

it('batchesOf puts the passages of the best files into the first batch', () => {
  const ranked = Array.from({ length: PASSAGES_A_CALL + 2 }, (_, at) => gathered(`${90 - at}.md`));
  const [first = [], second = []] = namesOf(batchesOf(ranked));
  expect(first).toHaveLength(PASSAGES_A_CALL);
  expect(first).toContain('90.md#0');
  expect(second).toHaveLength(2);
  expect(second).not.toContain('90.md#0');
});
