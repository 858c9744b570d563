import { expect, it } from '@jest/globals';
import { kindOf, pageOf } from '../../../web/agent/run-kind.ts';

it('a report is called one, and a run of the agent by its mode', () => {
  expect(kindOf({ kind: 'research', mode: 'agent' })).toBe('agent.report');
  expect(kindOf({ kind: 'agent', mode: 'plan' })).toBe('agent.modes.plan');
});

it('a report and the check of a draft open on their own pages', () => {
  expect((['agent', 'research', 'verify'] as const).map((kind) => pageOf({ kind }))).toEqual([
    '/w/$workspaceId/agent/$runId',
    '/w/$workspaceId/research/$runId',
    '/w/$workspaceId/drafts/$runId',
  ]);
});
