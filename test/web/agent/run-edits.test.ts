import { describe, expect, it } from '@jest/globals';
import { editsOf } from '../../../web/agent/run-edits.ts';
import type { Step } from '../../../web/agent/run-steps.ts';

function call(tool: string, input: object, state: 'done' | 'failed' = 'done'): Step {
  return { kind: 'call', id: '', call: { tool, state, inputText: '', input } };
}

const edits = [{ oldText: 'Two owls.', newText: 'Three owls.' }];
const steps: Step[] = [
  call('editFile', { path: 'a.md', edits }),
  call('editFile', { path: 'a.md', edits: [{ oldText: 'x', newText: 'y' }] }, 'failed'),
  call('editFile', { path: 'b.md', edits }),
  call('writeFile', { path: 'c.md', content: 'New.' }),
  call('bash', { command: 'rm d.md' }),
];

describe('changes of a run in a file', () => {
  it.each([
    ['its edits', 'a.md', 'changed' as const, [{ before: 'Two owls.', after: 'Three owls.' }]],
    ['the text of a new file', 'c.md', 'created' as const, [{ before: '', after: 'New.' }]],
    ['empty if the earlier text is unknown', 'c.md', 'changed' as const, []],
    ['empty for a command', 'd.md', 'deleted' as const, []],
  ])('are %s', (_what, path, change, expected) => {
    expect(editsOf(steps, { path, change })).toEqual(expected);
  });

  it('include the edits under the former name of a file', () => {
    expect(editsOf(steps, { path: 'e.md', from: 'b.md', change: 'moved' })).toHaveLength(1);
  });
});
