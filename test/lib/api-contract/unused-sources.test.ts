import { describe, expect, it } from '@jest/globals';
import { unusedSources } from '../../../lib/api-contract/unused-sources.ts';
import type { Evidence } from '../../../lib/research/schema.ts';
import { makeEvidence } from '../../support/research-reports.ts';

const FAR = 'Other passages are a closer match.';
const EMPTY = 'It contains nothing that answers the question and can be quoted.';

function looked(questionId: string, path: string, reason?: string) {
  return { questionId, path, used: reason === undefined, ...(reason !== undefined && { reason }) };
}

const of = (all: Parameters<typeof unusedSources>[0]['looked'], evidence: Evidence[] = []) => ({
  ...{ looked: all, evidence, sections: undefined },
});

describe('unusedSources', () => {
  it('starts with sources that have a quote but no sentence, once the report is written', () => {
    const doi = { kind: 'paper' as const, title: 'On bats', doi: '10.1/a' };
    const evidence = [
      makeEvidence('e1', { path: 'cited.md' }),
      makeEvidence('e2', { path: 'cited.md' }),
      makeEvidence('e3', { path: 'a.md', questionId: 'q1' }),
      makeEvidence('e4', { path: 'a.md', questionId: 'q2' }),
      makeEvidence('e5', { path: 'sources/bats.pdf', source: doi }),
      makeEvidence('e6', { path: 'against.md', contradicts: ['e1'] }),
    ];
    const sections = [{ paragraphs: [[{ evidence: ['e1'] }]] }];
    const report = { looked: [looked('q1', 'b.md', EMPTY)], evidence, sections };
    expect(unusedSources(report)).toMatchObject([
      { name: 'a.md', hasQuote: true, questionIds: ['q1', 'q2'] },
      { name: 'On bats', hasQuote: true, url: 'https://doi.org/10.1/a' },
      { name: 'b.md', hasQuote: false, reason: EMPTY },
    ]);
    expect(unusedSources({ ...report, sections: undefined })).toMatchObject([{ name: 'b.md' }]);
  });

  it('lists each file once, with its questions and the reason of the question that read it', () => {
    const all = [looked('q1', 'a.md', FAR), looked('q2', 'a.md', EMPTY), looked('q3', 'a.md', FAR)];
    expect(unusedSources(of(all))).toEqual([
      { name: 'a.md', url: undefined, reason: EMPTY, hasQuote: false, questionIds: ['q1', 'q2', 'q3'] },
    ]);
  });

  it('omits files with evidence in the report, whatever question they were read for', () => {
    const all = [looked('q1', 'a.md', FAR), looked('q2', 'a.md'), looked('q1', 'b.md', EMPTY)];
    expect(unusedSources(of(all, [makeEvidence('e1', { path: 'b.md' })]))).toEqual([]);
  });

  it('distinguishes files with the same title, and papers by their URL', () => {
    const paper = { questionId: 'q1', title: 'On owls', used: false, reason: 'no readable text' };
    const all = [
      { ...looked('q1', 'a/readme.md', EMPTY), title: 'readme.md' },
      { ...looked('q1', 'b/readme.md', EMPTY), title: 'readme.md' },
      { ...paper, url: 'https://a.example/1' },
      { ...paper, url: 'https://a.example/2' },
    ];
    const source = { kind: 'paper' as const, title: 'On owls', url: 'https://a.example/2' };
    const used = makeEvidence('e1', { path: 'sources/owls.pdf', source });
    expect(unusedSources(of(all, [used])).map(({ name, url }) => url ?? name)).toEqual([
      'a/readme.md',
      'b/readme.md',
      'https://a.example/1',
    ]);
  });
});
