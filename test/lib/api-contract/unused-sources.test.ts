import { describe, expect, it } from '@jest/globals';
import { unusedSources } from '../../../lib/api-contract/unused-sources.ts';

const FAR = 'Other passages are a closer match.';
const EMPTY = 'It contains nothing that answers the question and can be quoted.';

function looked(questionId: string, path: string, reason?: string) {
  return { questionId, path, used: reason === undefined, ...(reason !== undefined && { reason }) };
}

describe('unusedSources', () => {
  it('has each file once, with the questions it was reviewed for, and the reason of one that read it', () => {
    const all = [looked('q1', 'a.md', FAR), looked('q2', 'a.md', EMPTY), looked('q3', 'a.md', FAR)];
    expect(unusedSources(all, [])).toEqual([
      { name: 'a.md', url: undefined, reason: EMPTY, questionIds: ['q1', 'q2', 'q3'] },
    ]);
  });

  it('has no file that the report has evidence from, whichever question it was read for', () => {
    const all = [looked('q1', 'a.md', FAR), looked('q2', 'a.md'), looked('q1', 'b.md', EMPTY)];
    expect(unusedSources(all, [{ path: 'b.md', source: {} }])).toEqual([]);
  });

  it('tells files of the same title apart, and papers by their address', () => {
    const paper = { questionId: 'q1', title: 'On owls', used: false, reason: 'no readable text' };
    const all = [
      { ...looked('q1', 'a/readme.md', EMPTY), title: 'readme.md' },
      { ...looked('q1', 'b/readme.md', EMPTY), title: 'readme.md' },
      { ...paper, url: 'https://a.example/1' },
      { ...paper, url: 'https://a.example/2' },
    ];
    const used = { path: 'sources/owls.pdf', source: { url: 'https://a.example/2' } };
    expect(unusedSources(all, [used]).map(({ name, url }) => url ?? name)).toEqual([
      'a/readme.md',
      'b/readme.md',
      'https://a.example/1',
    ]);
  });
});
