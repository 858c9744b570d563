import { describe, expect, it } from '@jest/globals';
import type { StreamPart } from '../../../lib/api-contract/stream-part.ts';
import { newAnswerMessage } from '../../../lib/conversations/turn/answer-message.ts';
import { addPart, NO_STEPS, type RunPart } from '../../../web/agent/run-steps.ts';
import { stepsOfMessage } from '../../../web/agent/stored-steps.ts';
import type { Part } from '../../../web/chat/message-view.ts';

const call = (toolCallId: string): StreamPart => ({
  ...{ type: 'tool-input-available', toolCallId, toolName: 'bash' },
  input: { command: 'make' },
});
const RUN: StreamPart[] = [
  { type: 'start', messageId: 'run' },
  { type: 'start-step' },
  { type: 'reasoning-start', id: '0' },
  { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
  { type: 'reasoning-end', id: '0' },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'I will ' },
  { type: 'text-delta', id: '1', delta: 'look.' },
  { type: 'text-end', id: '1' },
  call('done'),
  call('failed'),
  call('broken'),
  call('denied'),
  { type: 'tool-output-available', toolCallId: 'done', output: { exitCode: 0, state: 'done' } },
  { type: 'tool-output-available', toolCallId: 'failed', output: { exitCode: 2, state: 'failed' } },
  { type: 'tool-output-error', toolCallId: 'broken', errorText: 'No such file.' },
  { type: 'tool-approval-request', toolCallId: 'denied', approvalId: 'a' },
  {
    type: 'data-approval-response',
    data: { approvalId: 'a', toolCallId: 'denied', approved: false, reason: 'Not this.' },
    transient: true,
  },
  { type: 'tool-output-denied', toolCallId: 'denied' },
  { type: 'finish-step' },
  { type: 'data-user-message', id: 'm', data: { text: 'Use make -j.' } },
  { type: 'start-step' },
  { type: 'data-notice', data: { code: 'budget-near', text: 'Nearly used up.' } },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'Made.' },
  { type: 'finish-step' },
  { type: 'finish', messageMetadata: { steps: 2 } },
];

function shown({ steps, metadata }: ReturnType<typeof stepsOfMessage>) {
  const bare = steps.map((step) => {
    if (step.kind !== 'call') return { kind: step.kind, text: step.text };
    const { state, output, error, reason } = step.call;
    return { kind: step.kind, state, output, error, reason };
  });
  return { steps: bare, metadata };
}

describe('stepsOfMessage', () => {
  it('shows a stored run in the same way as a live run', () => {
    const answer = newAnswerMessage('run');
    for (const part of RUN) answer.add(part);
    const { parts, metadata } = answer.endedMessage();
    const live = (RUN as RunPart[]).reduce(addPart, NO_STEPS);
    const stored = stepsOfMessage({ parts: parts as Part[], metadata });
    expect(shown(stored)).toEqual(shown(live));
    expect(stored.isOver).toBe(true);
  });

  it.each([
    ['calls without ID, input, and state', [{ type: 'tool-bash' }, { type: 'tool-', toolCallId: 7 }]],
    ['texts that are none', [{ type: 'text', text: 7 }, { type: 'reasoning' }]],
    [
      'messages that are none',
      [{ type: 'data-user-message' }, { type: 'data-user-message', data: { text: 7 } }],
    ],
    ['notices that are none', [{ type: 'data-notice', data: null }]],
  ])('leaves out parts with %s', (_, parts) => {
    const { steps } = stepsOfMessage({ parts: parts as Part[] });
    expect(steps.every((step) => step.kind !== 'said' && step.kind !== 'notice')).toBe(true);
  });
});
