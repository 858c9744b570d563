import { describe, expect, it } from '@jest/globals';
import { searchStarters, startersOf } from '../../../web/chat/starters.ts';

const files = (...paths: string[]) => paths.map((path) => ({ path }));

describe('startersOf', () => {
  it.each([
    [
      'names that differ by a number',
      ['a.md', 'r/report-2023.pdf', 'r/report-2024.pdf', 't/data.csv'],
      [
        { key: 'changed', name: 'report-2023.pdf', other: 'report-2024.pdf' },
        { key: 'conclude', name: 'a.md' },
        { key: 'table', name: 'data.csv' },
      ],
    ],
    [
      'names that differ by a version',
      ['offer v1.docx', 'offer v2.docx'],
      [
        { key: 'changed', name: 'offer v1.docx', other: 'offer v2.docx' },
        { key: 'overview' },
        { key: 'disagree' },
      ],
    ],
    [
      "numbered files that aren't versions of one another",
      ['contract-5.docx', 'contract-6.docx'],
      [
        { key: 'compare', name: 'contract-5.docx', other: 'contract-6.docx' },
        { key: 'overview' },
        { key: 'disagree' },
      ],
    ],
    [
      'dated files of a diary',
      ['2024-01-01.md', '2024-01-02.md'],
      [
        { key: 'compare', name: '2024-01-01.md', other: '2024-01-02.md' },
        { key: 'overview' },
        { key: 'disagree' },
      ],
    ],
    [
      'two texts in a folder',
      ['n/a.md', 'n/b.md', 'x.py'],
      [{ key: 'compare', name: 'a.md', other: 'b.md' }, { key: 'code', name: 'x.py' }, { key: 'overview' }],
    ],
    [
      'the folder with the most files first',
      ['admin/a.md', 'admin/b.md', 'papers/c.pdf', 'papers/d.pdf', 'papers/e.pdf'],
      [
        { key: 'compare', name: 'c.pdf', other: 'd.pdf' },
        { key: 'conclude', name: 'e.pdf' },
        { key: 'overview' },
      ],
    ],
    [
      'a single file',
      ['only.docx'],
      [{ key: 'conclude', name: 'only.docx' }, { key: 'overview' }, { key: 'missing' }],
    ],
    [
      'names that are too long for a question',
      [`${'x'.repeat(60)}.md`, 'a'],
      [{ key: 'overview' }, { key: 'disagree' }, { key: 'missing' }],
    ],
  ])('asks about %s', (_, paths, expected) => {
    expect(startersOf(files(...paths))).toEqual(expected);
  });
});

describe('searchStarters', () => {
  it('offers headings of texts, each once, but no headings of code, and no headings without words', () => {
    const listed = [
      { path: 'a.md', title: 'Owls at night' },
      { path: 'b.md', title: 'Owls at night' },
      { path: 'c.py', title: 'import everything' },
      { path: 'd.md', title: '1.2' },
      { path: 'e.md' },
      { path: 'f.md', title: '浅色路面' },
    ];
    expect(searchStarters(listed)).toEqual(['Owls at night', '浅色路面']);
  });

  it('offers one heading per folder first, from the folder with the most headings', () => {
    const title = (path: string) => ({ path, title: `Heading of ${path}` });
    const listed = ['admin/a', 'admin/b', 'papers/c', 'papers/d', 'papers/e', 'f'].map(title);
    expect(searchStarters(listed)).toEqual(['papers/c', 'admin/a', 'f'].map((path) => `Heading of ${path}`));
  });
});
