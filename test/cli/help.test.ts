import { expect, it } from '@jest/globals';
import { commands } from '../../cli/all-commands.ts';
import { helpFor } from '../../cli/help.ts';

it('help lists --url and --workspace only where they have an effect', () => {
  const namesWith = (option: string) =>
    commands.filter((command) => helpFor(command).includes(` --${option} …`)).map(({ name }) => name);
  const withWorkspace = ['ask', 'search', 'agent', 'research', 'verify', 'sync', 'notes'];
  expect(namesWith('workspace')).toEqual(withWorkspace);
  expect(namesWith('url')).toEqual([...withWorkspace, 'token']);
});
