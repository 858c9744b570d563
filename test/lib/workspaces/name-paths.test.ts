import { expect, it } from '@jest/globals';
import { pathNamer } from '../../../lib/workspaces/name-paths.ts';

it('pathNamer() puts the workspace before a path, told apart by the ID if two have the same name', () => {
  const named = pathNamer([
    { id: '11111111-aaaa', name: 'Birds' },
    { id: '22222222-bbbb', name: 'Owls' },
    { id: '33333333-cccc', name: 'Owls' },
  ]);
  const path = 'a.md';
  const of = (workspaceId?: string) => named({ workspaceId, path }).path;
  expect(of('11111111-aaaa')).toBe('Birds/a.md');
  expect([of('22222222-bbbb'), of('33333333-cccc')]).toEqual([
    'Owls (222-bbbb)/a.md',
    'Owls (333-cccc)/a.md',
  ]);
  expect([of(), of('other')]).toEqual(['a.md', 'a.md']);
});
