import { expect, it } from '@jest/globals';
import { addPart, NO_STEPS, withAnswers } from '../../../web/agent/run-steps.ts';

it('run steps show that a call is allowed or denied while another approval delays it', () => {
  const parts = ['a', 'b', 'c', 'd'].flatMap((toolCallId) => [
    { type: 'tool-input-available', toolCallId, toolName: 'writeFile', input: {} },
    { type: 'tool-approval-request', toolCallId, approvalId: `of ${toolCallId}` },
  ]);
  const done = { type: 'tool-output-available', toolCallId: 'd', output: {} };
  const { steps } = [...parts, done].reduce(addPart, NO_STEPS);
  const answers = [
    { id: 'of a', approved: true },
    { id: 'of b', approved: false },
    { id: 'of d', approved: true },
  ];
  const states = withAnswers(steps, answers).map((step) => step.kind === 'call' && step.call.state);
  expect(states).toEqual(['allowed', 'denied', 'waiting', 'done']);
});
