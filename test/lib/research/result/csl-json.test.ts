import { Cite } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import { describe, expect, it } from '@jest/globals';
import { parseName } from '../../../../lib/api-contract/csl-item.ts';
import { cslItems, toBibtex, toCslJson } from '../../../../lib/research/result/csl-json.ts';
import { makeEvidence, makeHostileReport, makeReport } from '../../../support/research-reports.ts';
import { cslDataSchema } from '../../../support/samples/csl-data.ts';

const OUTSIDE = { retrievedAt: '2026-11-22T10:00:00.000Z', url: 'https://example.org/x' };
const OF_EACH_KIND = [
  makeEvidence('e1', {
    source: {
      ...{
        kind: 'paper',
        title: 'Über 50 % of {Ä} & B_1',
        arxivId: '2401.00001',
        publishedDate: '2024-01-05',
      },
      ...{ authors: ['José Núñez', 'WHO and Sons, Inc', 'a=b Smith', '王小明'], ...OUTSIDE },
    },
  }),
  makeEvidence('e2', { source: { kind: 'web', title: 'A page', ...OUTSIDE } }),
  makeEvidence('e3', { source: { kind: 'dataset', title: 'rows.csv' } }),
];

describe('toCslJson', () => {
  it('contains each source of the footnotes once', () => {
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

  it('conforms to the CSL schema, whatever a source contains', () => {
    for (const report of [makeReport(), makeHostileReport(), makeReport({ evidence: OF_EACH_KIND })]) {
      const items: unknown = JSON.parse(toCslJson(report));
      expect(items).toEqual(cslItems(report));
      expect(cslDataSchema.parse(items)).toHaveLength(cslItems(report).length);
    }
  });

  it('gives an entry of an unknown type the type of its file', () => {
    const source = { kind: 'file' as const, title: 'Owls', entryType: 'constructor' };
    const items = cslItems(makeReport({ evidence: [makeEvidence('e1', { source })] }));
    expect(items).toMatchObject([{ type: 'document' }]);
  });

  it('gives each source a unique and stable key', () => {
    const ids = cslItems(makeReport()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(cslItems(makeReport()).map(({ id }) => id)).toEqual(ids);
  });

  it("uses the keys of the workspace's own library, and gives them to no other source", () => {
    const own = { ...{ year: 2021, venue: 'Owl Notes', entryType: 'article' }, citationKey: 'smith2021owls' };
    const evidence = [
      makeEvidence('e2', { source: { kind: 'file', title: 'Owls', authors: ['A. Smith'], year: 2021 } }),
      makeEvidence('e1', { source: { kind: 'file', title: 'Owls', authors: ['A. Smith'], ...own } }),
    ];
    const report = makeReport({ evidence });
    const items = cslItems(report);
    expect(items.map(({ id }) => id)).toEqual([expect.stringMatching(/^smith2021owls-/), 'smith2021owls']);
    expect(items[1]).toMatchObject({ type: 'article-journal', 'container-title': 'Owl Notes' });
    expect(cslDataSchema.parse(items)).toHaveLength(2);
    const read = new Cite(toBibtex(report)).data as Record<string, unknown>[];
    expect(read[1]).toMatchObject({
      ...{ id: 'smith2021owls', type: 'article-journal', 'container-title': 'Owl Notes' },
      issued: { 'date-parts': [[2021]] },
    });
  });

  it.each([
    ['2024', undefined, '1706.03762', 'article'],
    ['2024', '10.48550/arxiv.1706.03762', '1706.03762', 'article'],
    ['2024', '10.1/x', '1706.03762', 'article-journal'],
  ])('recognizes a preprint: %s %s %s', (_year, doi, arxivId, type) => {
    const source = { kind: 'paper' as const, title: 'T', arxivId, ...(doi === undefined ? {} : { doi }) };
    const report = makeReport({ evidence: [makeEvidence('e1', { source })] });
    expect(cslItems(report)[0]).toMatchObject({ type, archive: 'arXiv', number: '1706.03762' });
  });
});

/** BibTeX has only family names, so a name that can't be split is a family name. */
const AS_BIBTEX_HAS_THEM = [
  { family: 'Núñez', given: 'José' },
  { family: 'WHO and Sons, Inc' },
  { family: 'Smith', given: 'a=b' },
  { family: '王小明' },
];

describe('toBibtex', () => {
  it('writes entries that a BibTeX reader accepts', () => {
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

  it('gives another reader the same data as CSL-JSON', () => {
    const report = makeReport({ evidence: OF_EACH_KIND });
    const read = new Cite(toBibtex(report)).data as Record<string, unknown>[];
    const wanted = cslItems(report);
    const shown = ({ id, title, DOI, URL, note }: Record<string, unknown>) => ({ id, title, DOI, URL, note });
    expect(read.map(shown)).toEqual(wanted.map((item) => shown({ ...item })));
    const paper = read.find(({ title }) => String(title).startsWith('Über'));
    expect(paper).toMatchObject({
      author: AS_BIBTEX_HAS_THEM,
      issued: { 'date-parts': [[2024, 1]] },
    });
    const hostile = new Cite(toBibtex(makeHostileReport())).data as { title: string }[];
    expect(hostile).toHaveLength(1);
    expect(hostile[0]?.title).toContain('{brace \\input{/etc/passwd} }} % $x$ 😀');
  });

  it('closes every brace and escapes every special character, whatever a source contains', () => {
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
