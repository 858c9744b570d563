import { describe, expect, it } from '@jest/globals';
import { modelTools, SELF_APPROVAL, toolsFor, withoutApprovals } from '../../../../lib/agent/calls/modes.ts';
import { allTools, type ToolPorts } from '../../../../lib/agent/tools/all-tools.ts';
import type { Tool } from '../../../../lib/agent/tools/tool.ts';
import { doIt, recordingTool } from '../../../support/agent.ts';
import { makeContext } from '../../../support/tool-context.ts';

const tools = allTools({ webSearch: {} } as ToolPorts);
const names = (mode: 'agent' | 'plan' | 'ask', allowed: string[] | null = null) =>
  toolsFor(tools, mode, allowed).map(({ name }) => name);

describe('tools of a mode', () => {
  it('are all tools of the contract in agent', () => {
    expect(names('agent').sort()).toEqual(
      [
        ...['readFile', 'listDirectory', 'grep', 'writeFile', 'editFile', 'bash', 'searchWorkspace'],
        ...[
          'searchArticles',
          'readPaper',
          'research',
          'verifyDraft',
          'getSkill',
          'cluster',
          'submitJob',
          'collectJobResults',
          'rememberFact',
          'webSearch',
        ],
      ].sort(),
    );
  });

  it.each(['plan', 'ask'] as const)(
    'are the three tools of the contract in %s, whatever a skill allows',
    (mode) => {
      expect(names(mode)).toEqual(['readFile', 'listDirectory', 'grep']);
      expect(names(mode, ['bash', 'grep', 'writeFile'])).toEqual(['grep']);
    },
  );

  it('are restricted by a skill, or empty if it lists no tools', () => {
    expect(names('agent', ['bash', 'readFile', 'nothing'])).toEqual(['readFile', 'bash']);
    expect(names('agent', [])).toEqual([]);
  });
});

describe('a tool that is not configured', () => {
  it('is not offered, if it searches the web', () => {
    expect(allTools({} as ToolPorts).map(({ name }) => name)).not.toContain('webSearch');
  });
});

describe('tool definitions for the model', () => {
  it('have a JSON Schema without defaults', () => {
    const described = modelTools(tools);
    expect(described.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { name, description, inputSchema } of described) {
      expect([name, inputSchema.type, inputSchema.additionalProperties]).toEqual([name, 'object', false]);
      expect(inputSchema).not.toHaveProperty('$schema');
      expect(description.length).toBeGreaterThan(40);
    }
    expect(described.find(({ name }) => name === 'bash')?.inputSchema.required).toEqual(['command']);
  });

  it('are computed once, although each run creates the tools again', () => {
    const again = modelTools(allTools({ webSearch: {} } as ToolPorts));
    expect(again.every((tool, index) => tool === modelTools(tools)[index])).toBe(true);
  });
});

describe('approvals', () => {
  const withCluster = allTools({ cluster: {} } as ToolPorts);
  const needed = (all: Tool[], name: string, input: Record<string, unknown> = {}) =>
    all.find((tool) => tool.name === name)?.approval?.needed({ namespace: 'lab', ...input });

  it.each([
    ['research', {}],
    ['submitJob', {}],
    ['rememberFact', {}],
    ['cluster', { action: 'apply' }],
    ['cluster', { action: 'delete' }],
    ['cluster', { action: 'scale' }],
  ])('are required by %s %j', (name, input) => {
    expect(needed(withCluster, name, input)).toBe(true);
  });

  it.each(['get', 'describe', 'logs', 'events', 'top'])('are not required by cluster %s', (action) => {
    expect(needed(withCluster, 'cluster', { action })).toBe(false);
  });

  it.each([
    ['submitJob', {}],
    ['cluster', { action: 'apply' }],
  ])('are not required without a configured cluster, by %s %j', (name, input) => {
    expect(needed(tools, name, input)).toBe(false);
  });

  it('are required by no other tool', () => {
    const asking = withCluster.filter((tool) => tool.approval !== undefined).map(({ name }) => name);
    expect(asking).toEqual(['research', 'cluster', 'submitJob', 'rememberFact']);
  });
});

describe('withoutApprovals', () => {
  it('denies a call that needs approval immediately with the first reason, and notifies the tool', async () => {
    const { tool, inputs, refused } = recordingTool('launch', { asks: doIt });
    const closed = withoutApprovals(withoutApprovals([tool], SELF_APPROVAL.loopback));
    expect(closed.map(({ approval }) => approval)).toEqual([undefined]);
    const input = { value: 'rocket' };
    await expect(closed[0]?.run(input, makeContext('/'))).rejects.toThrow(/AUTH_MODE=disabled/);
    expect([inputs, refused]).toEqual([[], [input]]);
  });

  it('makes other calls as usual', async () => {
    const { tool } = recordingTool('look');
    const [same] = withoutApprovals([tool]);
    expect(await same?.run({ value: 'this' }, makeContext('/'))).toEqual({ did: 'this' });
  });
});
