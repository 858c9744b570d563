import { describe, expect, it } from '@jest/globals';
import { describeModel, workspaceOfModel } from '../../../lib/openai-api/model-id.ts';

describe('a model name', () => {
  it('stands for the workspace that the list of models has under it', () => {
    const workspace = { id: 'w1', name: 'Owls', rootPath: '/owls', createdAt: '2026-11-30T00:00:00.000Z' };
    const { id, created, name } = describeModel(workspace);
    expect([workspaceOfModel(id), created, name]).toEqual(['w1', 1_795_996_800, 'Owls']);
  });

  it.each(['gpt-5', 'workspace:', 'WORKSPACE:w1', ' workspace:w1'])('is refused with 404: %s', (model) => {
    expect(() => workspaceOfModel(model)).toThrow(
      expect.objectContaining({ code: 'workspace_not_found', field: 'model' }),
    );
  });

  it('names up to 20 workspaces', () => {
    expect(workspaceOfModel('workspace:w1,w2')).toEqual(['w1', 'w2']);
  });

  it.each([
    ['21 workspaces', `workspace:${Array.from({ length: 21 }, (_, at) => at)}`],
    ['an empty ID', 'workspace:w1,'],
  ])('is refused with %s', (_, model) => {
    expect(() => workspaceOfModel(model)).toThrow(
      expect.objectContaining({ code: 'invalid_value', field: 'model' }),
    );
  });
});
