import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { groupFindings, type SearchFinding } from '../../../lib/papers/merge.ts';

function finding(id: string, fields: Partial<SearchFinding> = {}): SearchFinding {
  return {
    id,
    title: `A title that belongs to ${id} alone`,
    authors: ['Ada Byron'],
    abstract: '',
    url: `https://example.org/${id}`,
    pdfUrl: null,
    publishedDate: '2024-01-31',
    doi: null,
    arxivId: null,
    source: 'preprint_server',
    rank: 0,
    ...fields,
  };
}

/** Returns the IDs by group, in canonical order. */
function grouped(findings: SearchFinding[]): string[][] {
  return groupFindings(findings)
    .map((group) => group.map(({ id }) => id).sort())
    .sort();
}

const title = 'On the flight of owls over fields';
const series = 'A survey of nocturnal predators';
/** Eight papers as four sources may describe them. */
const FINDINGS: SearchFinding[] = [
  // One paper: the preprint, Hugging Face's page for it, and the article, which references the preprint.
  finding('a1', { arxivId: '2401.00001' }),
  finding('a2', { arxivId: '2401.00001', source: 'hub_a' }),
  finding('a3', { arxivId: '2401.00001', doi: '10.1000/owl', source: 'semantic_scholar' }),
  // ... and the article alone, which is joined through a3.
  finding('a4', { doi: '10.1000/owl', source: 'openalex' }),
  // One paper by its title: a preprint without a DOI, and the article two years later with another spelling.
  finding('b1', { title, arxivId: '2402.00002', publishedDate: '2022-12-01' }),
  finding('b2', {
    title: 'On the Flight of Owls over Fields.',
    authors: ['Byron, Ada'],
    doi: '10.1000/flight',
    publishedDate: '2024-02-01',
    source: 'openalex',
  }),
  // The same title by another author.
  finding('c1', { title, authors: ['Mary Shelley'], source: 'semantic_scholar' }),
  // A series: two DOIs with one title, and an entry without a DOI, which certainly belongs to neither.
  finding('d1', { title: series, doi: '10.1000/part-1', source: 'openalex' }),
  finding('d2', { title: series, doi: '10.1000/part-2', source: 'openalex', rank: 1 }),
  finding('d3', { title: series, source: 'semantic_scholar' }),
  // The same talk every year.
  finding('e1', { title: 'The state of the union of owls', publishedDate: '2010-01-01' }),
  finding('e2', { title: 'The state of the union of owls', publishedDate: '2020-01-01', source: 'openalex' }),
  // A title without information.
  finding('f1', { title: 'Introduction' }),
  finding('f2', { title: 'Introduction', source: 'openalex' }),
  // arXiv's own DOI is the same paper as the printed one.
  finding('g1', {
    title: 'The hearing of the barn owl',
    doi: '10.48550/arxiv.2403.00003',
    arxivId: '2403.00003',
  }),
  finding('g2', { title: 'The hearing of the barn owl', doi: '10.1000/hearing', source: 'openalex' }),
];
const MERGED = [
  ['a1', 'a2', 'a3', 'a4'],
  ['b1', 'b2'],
  ['c1'],
  ['d1'],
  ['d2'],
  ['d3'],
  ['e1'],
  ['e2'],
  ['f1'],
  ['f2'],
  ['g1', 'g2'],
];

describe('groupFindings', () => {
  it('joins duplicates of one paper, and no other papers', () => {
    expect(grouped(FINDINGS)).toEqual(MERGED);
  });

  it('has the same result for any order', () => {
    const shuffled = fc.shuffledSubarray(FINDINGS, { minLength: FINDINGS.length });
    fc.assert(
      fc.property(shuffled, (findings) => {
        expect(grouped(findings)).toEqual(MERGED);
      }),
      { numRuns: 100 },
    );
  });

  it('starts with the source whose text is used', () => {
    const [first = []] = groupFindings([...FINDINGS].reverse()).filter((group) => group.length === 4);
    expect(first.map(({ id }) => id)).toEqual(['a1', 'a2', 'a3', 'a4']);
  });
});
