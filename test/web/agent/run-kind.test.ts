import { expect, it } from '@jest/globals';
import { kindOf, pageOf } from '../../../web/agent/run-kind.ts';

it('kindOf names a report, and a run of the agent by its mode', () => {
  expect(kindOf({ kind: 'research', mode: 'agent' })).toBe('agent.report');
  expect(kindOf({ kind: 'agent', mode: 'plan' })).toBe('agent.modes.plan');
});

it('pageOf opens a report and a draft check on their own pages', () => {
  expect((['agent', 'research', 'verify', 'table'] as const).map((kind) => pageOf({ kind }))).toEqual([
    '/w/$workspaceId/agent/$runId',
    '/w/$workspaceId/research/$runId',
    '/w/$workspaceId/drafts/$runId',
    '/w/$workspaceId/tables/runs/$runId',
  ]);
});
