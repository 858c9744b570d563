import { describe, expect, it } from '@jest/globals';
import { convertToModelMessages, type UIMessage, validateUIMessages } from 'ai';
import type { StreamPart } from '../../../lib/api-contract/stream-part.ts';
import { newAnswerMessage } from '../../../lib/conversations/turn/answer-message.ts';
import { approvalAnswered } from '../../../lib/ui-messages/approval-parts.ts';

const ASKED: StreamPart[] = [
  { type: 'start-step' },
  { type: 'tool-input-available', toolCallId: 'c1', toolName: 'bash', input: { command: 'ls' } },
  { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' },
];
const DENIED: StreamPart = { type: 'tool-output-denied', toolCallId: 'c1' };
const DONE: StreamPart = { type: 'tool-output-available', toolCallId: 'c1', output: 'a.md' };
const said = (approved: boolean) => approvalAnswered({ approvalId: 'a1', toolCallId: 'c1', approved });

function keptCall(...parts: StreamPart[]) {
  const answer = newAnswerMessage('m1');
  for (const part of [...ASKED, ...parts]) answer.add(part);
  return answer.endedMessage().parts[1];
}

describe('stored call that needed approval', () => {
  it.each([
    ['denied', [said(false), DENIED], 'output-denied', { id: 'a1', approved: false }],
    ['approved', [said(true), DONE], 'output-available', { id: 'a1', approved: true }],
    [
      'denied, if the run ended before it reported it',
      [said(false)],
      'output-denied',
      { id: 'a1', approved: false },
    ],
    [
      'approved, if the run ended before its result',
      [said(true)],
      'output-error',
      { id: 'a1', approved: true },
    ],
    ['never answered', [], 'output-error', undefined],
  ] satisfies [string, StreamPart[], string, unknown][])(
    'is restored: %s',
    async (_, parts, state, approval) => {
      const part = keptCall(...parts);
      expect(part).toMatchObject({ state });
      expect(part?.approval).toEqual(approval);
      const messages = [{ id: 'm1', role: 'assistant', parts: [part] }] as unknown as UIMessage[];
      await convertToModelMessages(await validateUIMessages({ messages }));
    },
  );
});
