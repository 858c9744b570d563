import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type AdrFile, adrFaults, adrIndex, adrIndexPath, readAdrFiles } from '../../infra/adr-index.ts';

function makeAdr(name: string, change: Partial<Record<'front' | 'sections', string>> = {}): AdrFile {
  const front = change.front ?? 'status: accepted\ndate: 2026-11-22\narea: index';
  const sections = change.sections ?? '## Context\n\n## Decision\n\n## Consequences\n';
  return { name, text: `---\n${front}\n---\n\n# Use \`one\` table\n\n${sections}` };
}
const first = makeAdr('0001-use-one-table.md');

describe('decision records', () => {
  it('are complete, and numbered without a gap', () => {
    const files = readAdrFiles();
    expect(files.length).toBeGreaterThan(40);
    expect(adrFaults(files)).toEqual([]);
  });

  it('are in the index (otherwise, run npm run adr)', () => {
    expect(readFileSync(adrIndexPath(), 'utf8')).toBe(adrIndex(readAdrFiles()));
  });
});

describe('adrFaults', () => {
  it('returns nothing for a complete record', () => {
    const second = makeAdr('0002-use-one-table.md', {
      front: 'status: accepted\ndate: 2026-11-23\narea: index\nsupersedes: "0001"',
    });
    const superseded = makeAdr(first.name, { front: 'status: superseded\ndate: 2026-11-22\narea: index' });
    expect(adrFaults([superseded, second])).toEqual([]);
  });

  it.each([
    ['a missing number', [first, makeAdr('0003-use-one-table.md')], 'expected number 0002'],
    ['a duplicate number', [first, makeAdr('0001-use-one-table.md')], 'expected number 0002'],
    ['no date', [makeAdr(first.name, { front: 'status: accepted\narea: index' })], 'date must be'],
    ['no area', [makeAdr(first.name, { front: 'status: accepted\ndate: 2026-11-22' })], 'area must be'],
    [
      'an unknown status',
      [makeAdr(first.name, { front: 'status: done\ndate: 2026-11-22\narea: a' })],
      'status',
    ],
    ['no front matter', [{ name: first.name, text: '# Use `one` table\n' }], 'status must be'],
    [
      'a successor of a record that is still accepted',
      [
        first,
        makeAdr('0002-use-one-table.md', {
          front: 'status: accepted\ndate: 2026-11-23\narea: index\nsupersedes: "0001"',
        }),
      ],
      'supersedes must be',
    ],
    [
      'an amendment by a missing record',
      [
        makeAdr(first.name, {
          front: 'status: accepted\ndate: 2026-11-22\narea: index\namended-by: "0009"',
        }),
      ],
      'amended-by must be',
    ],
    ['a name that differs from the title', [makeAdr('0001-use-two-tables.md')], 'the file name must follow'],
    [
      'a missing heading',
      [makeAdr(first.name, { sections: '## Context\n\n## Decision\n' })],
      'the headings must be',
    ],
    ['too many lines', [makeAdr(first.name, { sections: `${'\n'.repeat(50)}` })], 'at most 45 lines'],
  ])('returns %s', (_, files, fault) => {
    expect(adrFaults(files).join('\n')).toContain(fault);
  });
});
