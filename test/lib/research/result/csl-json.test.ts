import { describe, expect, it } from '@jest/globals';
import { toBibtex } from '../../../../lib/research/result/bibtex.ts';
import { cslItems, toCslJson } from '../../../../lib/research/result/csl-json.ts';
import { parseName } from '../../../../lib/research/result/person-name.ts';
import { makeEvidence, makeHostileReport, makeReport } from '../../../support/research-reports.ts';

describe('toCslJson', () => {
  it('has each source of the footnotes once', () => {
    expect(cslItems(makeReport()).slice(0, 2)).toEqual([
      {
        ...{ id: 'vansmith2024attention', type: 'article-journal', title: 'Attention to Caches' },
        author: [
          { family: 'van Smith', given: 'Jane' },
          { family: 'Miller', given: 'Bob' },
        ],
        ...{
          issued: { 'date-parts': [[2024, 5, 1]] },
          DOI: '10.1000/xyz_1',
          URL: 'https://example.org/paper',
        },
      },
      { id: 'notes', type: 'document', title: 'Notes e1', note: 'notes/e1.md' },
    ]);
  });

  it('is JSON, whatever a source holds', () => {
    expect(JSON.parse(toCslJson(makeHostileReport()))).toEqual(cslItems(makeHostileReport()));
  });

  it('gives no two sources the same key, and a source the same one again', () => {
    const ids = cslItems(makeReport()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(cslItems(makeReport()).map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['2024', undefined, '1706.03762', 'article'],
    ['2024', '10.48550/arxiv.1706.03762', '1706.03762', 'article'],
    ['2024', '10.1/x', '1706.03762', 'article-journal'],
  ])('tells a preprint: %s %s %s', (_year, doi, arxivId, type) => {
    const source = { kind: 'paper' as const, title: 'T', arxivId, ...(doi === undefined ? {} : { doi }) };
    const report = makeReport({ evidence: [makeEvidence('e1', { source })] });
    expect(cslItems(report)[0]).toMatchObject({ type, archive: 'arXiv', number: '1706.03762' });
  });
});

describe('toBibtex', () => {
  it('writes what a reader of BibTeX takes in', () => {
    expect(toBibtex(makeReport())).toContain(
      `@article{vansmith2024attention,
  title = {{Attention to Caches}},
  author = {van Smith, Jane and Miller, Bob},
  year = {2024},
  month = {5},
  doi = {10.1000/xyz_1},
  url = {https://example.org/paper},
}
`,
    );
  });

  it('has every brace closed and every sign escaped, whatever a source holds', () => {
    const text = toBibtex(makeHostileReport());
    let depth = 0;
    for (const sign of text) {
      if (sign === '{') depth += 1;
      if (sign === '}') depth -= 1;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
    expect(text.match(/^@/gm)).toHaveLength(1);
    expect(text).not.toMatch(/\\input/);
  });
});

describe('parseName', () => {
  it.each([
    ['Jane Smith', { family: 'Smith', given: 'Jane' }],
    ['Jane A. van der Smith', { family: 'van der Smith', given: 'Jane A.' }],
    ['Smith, Jane', { family: 'Smith', given: 'Jane' }],
    ['Martin Luther King Jr.', { family: 'King', given: 'Martin Luther', suffix: 'Jr.' }],
    ['King, Jr., Martin', { family: 'King', given: 'Martin', suffix: 'Jr.' }],
    ['World Health Organization', { literal: 'World Health Organization' }],
    ['王小明', { literal: '王小明' }],
    ['', { literal: '' }],
  ])('%s', (name, parsed) => {
    expect(parseName(name)).toEqual(parsed);
  });
});
