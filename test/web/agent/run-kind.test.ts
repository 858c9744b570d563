import { expect, it } from '@jest/globals';
import { kindOf } from '../../../web/agent/run-kind.ts';

it('a report is called one, and a run of the agent by its mode', () => {
  expect(kindOf({ kind: 'research', mode: 'agent' })).toBe('agent.report');
  expect(kindOf({ kind: 'agent', mode: 'plan' })).toBe('agent.modes.plan');
});
