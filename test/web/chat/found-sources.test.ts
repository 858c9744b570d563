import { describe, expect, it } from '@jest/globals';
import { readNote, writeNote } from '../../../lib/api-contract/note-sources.ts';
import { type Step, withFound } from '../../../web/agent/run-steps.ts';
import { findCitation, readUncited, viewOfMessage } from '../../../web/chat/message-view.ts';

const QUOTE = {
  path: 'owls.md',
  startLine: 3,
  endLine: 3,
  quote: 'Owls hunt.',
  fileHash: 'x',
  support: 'unjudged',
};
const TEXT = 'Owls hunt. It is 7.';
const FOUND = {
  ...QUOTE,
  index: 1,
  origin: 'service',
  sentences: [{ start: 0, end: 10, text: 'Owls hunt.' }],
};
const PARTS = [
  { type: 'text', text: TEXT },
  { type: 'data-citation', id: '1', data: FOUND },
];
const metadata = {
  passages: [
    { path: 'a.pdf', startLine: 1, endLine: 9, page: 3 },
    { path: 7 },
    { path: 'b.md', startLine: 2, endLine: 4 },
  ],
  uncited: [{ start: 11, end: 19 }],
};

describe('sources that the service found', () => {
  it('get a number after their sentence, and renumber later citations', () => {
    const view = viewOfMessage(PARTS);
    expect(view.text).toBe('Owls hunt. [1] It is 7.');
    expect(view.citations).toMatchObject([{ index: 1, origin: 'service' }]);
    const [uncited] = readUncited(metadata, view);
    expect(view.text.slice(uncited?.start, uncited?.end)).toBe('It is 7.');
  });

  it('are in the step of a run with their sentence', () => {
    const steps: Step[] = [
      { kind: 'text', id: '1', text: 'I look.' },
      { kind: 'notice', id: '2', code: 'c', text: 'x' },
      { kind: 'text', id: '3', text: 'Owls hunt.' },
    ];
    const found = {
      index: 1,
      path: 'owls.md',
      startLine: 3,
      endLine: 3,
      quote: '',
      sentences: [{ start: 9, end: 19 }],
    };
    expect(withFound(steps, [found]).map((step) => (step.kind === 'call' ? '' : step.text))).toEqual([
      ...['I look.', 'x', 'Owls hunt. [1]'],
    ]);
    expect(withFound(steps, [])).toEqual(steps);
  });

  it('differ from cited sources in a note', () => {
    const { text, citations } = viewOfMessage(PARTS);
    const note = writeNote({ text, citations });
    expect(note).toContain('(found by the service)');
    expect(readNote(note).citations).toMatchObject([{ index: 1, origin: 'service' }]);
  });
});

describe("passages in the model's prompt", () => {
  it('open by their number, without malformed passages', () => {
    const messages = [{ id: 'm', parts: PARTS, metadata }];
    const opened = findCitation(messages, 'm.given3');
    expect(opened).toMatchObject({ isGiven: true, citation: { index: 3, path: 'b.md', startLine: 2 } });
    expect(findCitation(messages, 'm.given1')?.citation.place).toEqual({ kind: 'page', at: '3' });
    expect(findCitation(messages, 'm.given2')).toBeUndefined();
    expect(findCitation(messages, 'm.1')).toMatchObject({ isGiven: false, citation: { path: 'owls.md' } });
  });
});
