import { describe, expect, it } from '@jest/globals';
import type { Citation, CitedClaim } from '../../../lib/api-contract/citation.ts';
import type { StreamPart } from '../../../lib/api-contract/stream-part.ts';
import { fileCitations, urlCitations } from '../../../lib/openai-api/annotations.ts';
import { answerReader } from '../../../lib/openai-api/read-answer.ts';

const PLACE = { startLine: 3, endLine: 3, quote: 'Owls hunt at night.' };

function cited(index: number, more: Partial<Citation> = {}): StreamPart {
  const citation = { index, path: 'a b/owls.md', ...PLACE, fileHash: 'f', verified: true, stale: false };
  return { type: 'data-citation', data: { ...citation, ...more } };
}

function claim(text: string, support: CitedClaim['support']): CitedClaim {
  return { ...PLACE, text, support, checks: [] };
}

function said(id: string, delta: string): StreamPart[] {
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta },
    { type: 'text-end', id },
  ];
}

function read(parts: StreamPart[], isSent = true) {
  const { answer, take } = answerReader(isSent);
  const sent = parts.map(take).join('');
  return { answer, sent };
}

describe('annotations of an answer', () => {
  it('are at each marker, with the support of its own sentence', () => {
    const claims = [claim('Owls hunt at night.', 'full'), claim('Owls hunt at noon.', 'contradicted')];
    const { answer } = read([
      ...said('1', 'Owls hunt at night. [1] Owls hunt at noon. [1]'),
      cited(1, { claims, support: 'contradicted', verified: false }),
    ]);
    const found = fileCitations('w', answer);
    expect(found.map(({ index, x_citation: { support, verified } }) => [index, support, verified])).toEqual([
      [20, 'full', true],
      [43, 'contradicted', false],
    ]);
    expect(found.some(({ x_citation }) => 'claims' in x_citation)).toBe(false);
  });

  it('are at sentences for which the service found a passage', () => {
    const text = 'Owls hunt at night.';
    const sentences = [{ start: 0, end: text.length, text }];
    const { answer } = read([...said('1', text), cited(1, { origin: 'service', sentences })]);
    expect(urlCitations('w', answer, 'https://host')).toMatchObject([
      {
        url_citation: {
          ...{ start_index: 0, end_index: text.length, title: 'a b/owls.md' },
          url: 'https://host/w/w/files?path=a%20b%2Fowls.md&lines=3-3',
        },
        x_citation: { origin: 'service' },
      },
    ]);
  });

  it('are counted from the start of the text that was sent, which may begin with thoughts', () => {
    const parts: StreamPart[] = [
      ...said('1', 'Hm [1]'),
      { type: 'data-thought', data: { id: '1' } },
      ...said('2', 'Owls hunt. [1]'),
      ...said('3', 'At night. [1]'),
      cited(1),
    ];
    const { answer, sent } = read(parts);
    expect(sent).toBe('Hm [1]\n\nOwls hunt. [1]\n\nAt night. [1]');
    expect(fileCitations('w', answer).map(({ index }) => sent.slice(index - 3))).toEqual([
      't. [1]\n\nAt night. [1]',
      't. [1]',
    ]);
    expect(read(parts, false).answer.text).toBe('Owls hunt. [1]\n\nAt night. [1]');
  });

  it('are limited, because a model may repeat markers endlessly', () => {
    const { answer } = read([...said('1', 'Owls hunt at night. [1]\n'.repeat(2000)), cited(1)]);
    expect(fileCitations('w', answer)).toHaveLength(500);
  });

  it('have a file ID that depends on the workspace, and shows no path', () => {
    const { answer } = read([...said('1', 'Owls hunt. [1]'), cited(1)]);
    const ids = ['w', 'v'].map((workspaceId) => fileCitations(workspaceId, answer)[0]?.file_id);
    expect(ids).toEqual([expect.stringMatching(/^file-[\da-f]{32}$/), expect.stringMatching(/^file-/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe('the parts of a stored answer', () => {
  it('throw the failure that they report', () => {
    const parts: StreamPart[] = [
      { type: 'error', errorText: 'It is overloaded.' },
      { type: 'data-error', data: { code: 'model_overloaded' } },
    ];
    expect(() => read(parts)).toThrow(
      expect.objectContaining({ code: 'model_overloaded', message: 'It is overloaded.' }),
    );
    expect(() => read([{ type: 'abort' }])).toThrow(expect.objectContaining({ code: 'answer_interrupted' }));
  });
});
