import { expect, it } from '@jest/globals';
import { outcomeOf } from '../../../../web/files/uploads/outcome.ts';

it('outcomeOf counts added files that are ready, and counts the others as the index page does', () => {
  const leftOut = [
    { path: 'a.png', state: 'skipped' as const },
    { path: 'scan.pdf', state: 'skipped' as const },
    { path: 'broken.pdf', state: 'failed' as const },
    { path: 'x.zip', state: 'skipped' as const },
    { path: 'node_modules', state: 'skipped' as const },
    { path: 'earlier.pdf', state: 'failed' as const },
  ];
  const paths = ['a.md', 'b.md', 'a.png', 'scan.pdf', 'broken.pdf', 'x.zip', 'node_modules/p/x.md'];
  expect(outcomeOf(paths, leftOut)).toEqual({
    askable: 2,
    others: [
      { group: 'skipped', count: 4 },
      { group: 'unreadable', count: 1 },
    ],
  });
});

it('outcomeOf has no groups if all files are ready', () => {
  expect(outcomeOf(['a.md'], [])).toEqual({ askable: 1, others: [] });
});
