import { describe, expect, it } from '@jest/globals';
import { allTools, type ToolPorts } from '../../../../lib/agent/tools/all-tools.ts';
import { modelTools, toolsFor } from '../../../../lib/agent/tools/modes.ts';

const tools = allTools({} as ToolPorts);
const names = (mode: 'agent' | 'plan' | 'ask', allowed: string[] | null = null) =>
  toolsFor(tools, mode, allowed).map(({ name }) => name);

describe('the tools of a mode', () => {
  it('are all of the contract in agent', () => {
    expect(names('agent').sort()).toEqual(
      [
        ...['readFile', 'listDirectory', 'grep', 'writeFile', 'editFile', 'bash', 'searchWorkspace'],
        ...['searchArticles', 'readPaper', 'getSkill', 'cluster', 'submitJob', 'collectJobResults'],
      ].sort(),
    );
  });

  it.each(['plan', 'ask'] as const)('are those three that read in %s, whatever a skill allows', (mode) => {
    expect(names(mode)).toEqual(['readFile', 'listDirectory', 'grep']);
    expect(names(mode, ['bash', 'grep', 'writeFile'])).toEqual(['grep']);
  });

  it('are narrowed by a skill, to none if it says so', () => {
    expect(names('agent', ['bash', 'readFile', 'nothing'])).toEqual(['readFile', 'bash']);
    expect(names('agent', [])).toEqual([]);
  });
});

describe('the tools as the model is told of them', () => {
  it('are described by JSON Schema that leaves defaults out', () => {
    const described = modelTools(tools);
    expect(described.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { name, description, inputSchema } of described) {
      expect([name, inputSchema.type, inputSchema.additionalProperties]).toEqual([name, 'object', false]);
      expect(inputSchema).not.toHaveProperty('$schema');
      expect(description.length).toBeGreaterThan(40);
    }
    expect(described.find(({ name }) => name === 'bash')?.inputSchema.required).toEqual(['command']);
  });

  it('are worked out once, though the tools are made anew for each run', () => {
    const again = modelTools(allTools({} as ToolPorts));
    expect(again.every((tool, index) => tool === modelTools(tools)[index])).toBe(true);
  });
});

describe('approvals', () => {
  const approval = (name: string, input: Record<string, unknown>) =>
    tools.find((tool) => tool.name === name)?.approval?.({ namespace: 'lab', ...input });

  it.each([
    [
      'submitJob',
      { name: 'train', gpus: 2, image: 'torch' },
      'Submit job train to the cluster, in namespace lab, with 2 GPUs and image torch',
    ],
    ['cluster', { action: 'apply', manifest: 'x' }, 'Apply a manifest to the cluster, in namespace lab'],
    [
      'cluster',
      { action: 'delete', kind: 'pod', name: 'p' },
      'Delete pod p in namespace lab from the cluster',
    ],
    [
      'cluster',
      { action: 'scale', kind: 'deployment', name: 'd', replicas: 0 },
      'Scale deployment d in namespace lab to 0 replicas',
    ],
  ])('are asked for by %s %j', (name, input, text) => {
    expect(approval(name, input)).toBe(text);
  });

  it.each(['get', 'describe', 'logs', 'events', 'top'])('are not asked for by cluster %s', (action) => {
    expect(approval('cluster', { action, kind: 'pod', name: 'p' })).toBeUndefined();
  });

  it('are asked for by no other tool', () => {
    const asking = tools.filter((tool) => tool.approval !== undefined).map(({ name }) => name);
    expect(asking).toEqual(['cluster', 'submitJob']);
  });
});
