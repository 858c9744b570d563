import { expect, it } from '@jest/globals';
import { CALL_STOPPED } from '../../../lib/api-contract/call-outcome.ts';
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

it('run steps show that an approved command runs, what it prints, and that it failed', () => {
  const of = { toolCallId: 'a' };
  const parts = [
    { type: 'tool-input-available', ...of, toolName: 'bash', input: { command: 'make' } },
    { type: 'tool-approval-request', ...of, approvalId: 'of a' },
    { type: 'data-approval-response', data: { ...of, approvalId: 'of a', approved: true } },
    { type: 'data-output', data: { ...of, chunk: 'one ' } },
    { type: 'data-output', data: { ...of, chunk: 'two' } },
    { type: 'tool-output-available', ...of, output: { exitCode: 2, state: 'failed' } },
  ];
  const states = parts.map((_, at) => parts.slice(0, at + 1).reduce(addPart, NO_STEPS).steps[0]);
  const calls = states.map((step) => (step?.kind === 'call' ? step.call : undefined));
  expect(calls.map((call) => call?.state)).toEqual([
    ...['running', 'waiting', 'running', 'running', 'running', 'failed'],
  ]);
  expect(calls[4]?.live).toBe('one two');
});

it('run steps show a call that a person stopped, but not as failed', () => {
  const begun = { type: 'tool-input-available', toolCallId: 'a', toolName: 'bash', input: {} };
  const ended = { type: 'tool-output-error', toolCallId: 'a', errorText: CALL_STOPPED };
  const [step] = [begun, ended].reduce(addPart, NO_STEPS).steps;
  expect(step).toMatchObject({ call: { state: 'stopped', error: CALL_STOPPED } });
});
