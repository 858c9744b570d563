import { expect, it } from '@jest/globals';
import { outcomeOf } from '../../../../web/files/uploads/outcome.ts';

it('tells which of the added files can be asked about, and why not the others', () => {
  const leftOut = [
    { path: 'a.png', reason: 'no_text' as const },
    { path: 'scan.pdf', reason: 'no_text' as const },
    { path: 'broken.pdf', reason: 'broken' as const },
    { path: 'x.zip', reason: 'kind' as const },
    { path: 'node_modules', reason: 'ignored' as const },
    { path: 'earlier.pdf', reason: 'broken' as const },
  ];
  const paths = ['a.md', 'b.md', 'a.png', 'scan.pdf', 'broken.pdf', 'x.zip', 'node_modules/p/x.md'];
  expect(outcomeOf(paths, leftOut)).toEqual({
    askable: 2,
    others: [
      { group: 'no_text', count: 2 },
      { group: 'broken', count: 1 },
      { group: 'other', count: 2 },
    ],
  });
});

it('has no groups where all can be asked about', () => {
  expect(outcomeOf(['a.md'], [])).toEqual({ askable: 1, others: [] });
});
