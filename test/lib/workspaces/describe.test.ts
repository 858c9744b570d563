import { expect, it } from '@jest/globals';
import { describeWorkspace, type Workspace } from '../../../lib/workspaces/schema.ts';

it('describeWorkspace returns the public fields of a workspace, and no internal fields', () => {
  const shown = {
    id: '0190a8e4-7a5c-7c1b-9d2e-3f4a5b6c7d8e',
    name: 'Owls',
    rootPath: '/data/owls',
    createdAt: '2026-11-29T12:00:00.000Z',
    example: 'en' as const,
  };
  const stored: Workspace = {
    ...shown,
    members: [{ subject: 'ann', role: 'admin' as const }],
    membersStamp: '1',
    citationJudge: 'on' as const,
  };
  expect(describeWorkspace(stored)).toEqual(shown);
  const later = { ...stored, addedLater: 'a private field' };
  expect(describeWorkspace(later)).toEqual(shown);
});
