import { describe, expect, it } from '@jest/globals';
import { modelTools, toolsFor } from '../../../../lib/agent/calls/modes.ts';
import { fitRequest, fitTools, resultRoom } from '../../../../lib/agent/loop/fit-request.ts';
import { agentPrompt } from '../../../../lib/agent/loop/prompt.ts';
import { allTools, type ToolPorts } from '../../../../lib/agent/tools/all-tools.ts';
import type { Mode } from '../../../../lib/api-contract/runs.ts';
import type { ModelMessage, ModelRequest } from '../../../../lib/ports/language-model.ts';
import { promptRoom } from '../../../../lib/support/prompt-room.ts';
import { mostTokens } from '../../../../lib/text/count-tokens.ts';
import type { Workspace } from '../../../../lib/workspaces/schema.ts';

const every = allTools({} as ToolPorts);

function roomOf(contextTokens: number) {
  const readWindow = async () => ({ contextTokens, from: 'server' as const });
  return promptRoom({ provider: 'a', model: 'm', readWindow, stream: async function* () {} });
}

function startOf(mode: Mode) {
  const tools = toolsFor(every, mode, null);
  const workspace = { name: 'Owls' } as Workspace;
  return {
    system: agentPrompt({ mode, workspace, cwd: '', tools, offered: [], wishes: [] }),
    tools: modelTools(tools),
  };
}

function tokensOf({ system, messages, tools }: ModelRequest): number {
  return mostTokens(JSON.stringify(tools)) + mostTokens([system, ...messages.map(textOf)].join('\n'));
}

function textOf(message: ModelMessage): string {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [message.content, ...calls.map(({ input }) => input)].join('\n');
}

const said = 'The barn owl hunts at night by its hearing alone. ';
/** A run that has read and found a lot. */
const long: ModelMessage[] = [
  { role: 'user', content: `Describe the owls. ${said.repeat(20)}` },
  ...Array.from({ length: 12 }, (_, at): ModelMessage[] => [
    {
      role: 'assistant',
      content: 'Reading.',
      toolCalls: [{ id: `${at}`, name: 'readFile', input: '{"path":"a"}' }],
    },
    { role: 'tool', toolCallId: `${at}`, content: JSON.stringify({ content: said.repeat(400) }) },
  ]).flat(),
];

describe('fitRequest', () => {
  it.each<[Mode, number]>([
    ['plan', 4096],
    ['ask', 4096],
    ['agent', 8192],
    ['agent', 16_384],
  ])('fits a long run in mode %s into %s tokens', async (mode, window) => {
    const { system, tools } = startOf(mode);
    const room = await roomOf(window);
    const request = fitRequest({ system, messages: long }, tools, room);
    expect(tokensOf(request)).toBeLessThanOrEqual(room.tokens);
    expect(request.tools?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(request.system).toContain('cite its number in square brackets');
    expect(request.messages[0]?.content).toMatch(/^Describe the owls/);
    expect(request.messages.at(-1)?.content.slice(0, 40)).toMatch(/The barn owl hunts/);
  });

  it.each(['plan', 'ask', 'agent'] as const)('keeps a run in mode %s unchanged if it fits', async (mode) => {
    const { system, tools } = startOf(mode);
    const messages = long.slice(0, 3);
    for (const room of [await roomOf(128_000), await roomOf(1_000_000)])
      expect(fitRequest({ system, messages }, tools, room)).toEqual({ system, messages, tools });
  });

  it('keeps each result with its call', async () => {
    const { system, tools } = startOf('agent');
    const { messages } = fitRequest({ system, messages: long }, tools, await roomOf(8192));
    const called = messages.flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []));
    const answered = messages.flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : []));
    expect(called.map(({ id }) => id)).toEqual(answered);
  });
});

describe('fitTools', () => {
  it('shortens tool descriptions, and keeps names, arguments, and choices of the tools', () => {
    const [tool] = fitTools(modelTools(every.filter(({ name }) => name === 'cluster')), 300);
    expect(tool?.description).toMatch(/^Inspects the Kubernetes cluster[^.]*\.$/);
    expect(tool?.inputSchema).toMatchObject({
      required: ['action'],
      properties: { action: { enum: expect.arrayContaining(['get', 'logs']) }, name: { type: 'string' } },
    });
    expect(JSON.stringify(tool)).not.toContain('maxLength');
  });

  it('drops the last tools if not all fit, and keeps arguments that are named like keywords', () => {
    const named = {
      name: 'n',
      description: 'd',
      inputSchema: { type: 'object', properties: { pattern: { type: 'string' } } },
    };
    const many = Array.from({ length: 50 }, (_, at) => ({
      ...named,
      name: `tool${at}`,
      description: said.repeat(3),
    }));
    const offered = fitTools(many, 500);
    expect(offered.length).toBeGreaterThan(5);
    expect(offered.length).toBeLessThan(50);
    expect(offered.map(({ name }) => name)).toEqual(many.slice(0, offered.length).map(({ name }) => name));
    expect(offered[0]?.inputSchema).toEqual(named.inputSchema);
  });
});

describe('resultRoom', () => {
  it('limits one result to a part of a small window', async () => {
    expect(resultRoom(await roomOf(8192))).toBeLessThan(4000);
    expect(resultRoom(await roomOf(128_000))).toBeUndefined();
    expect(
      resultRoom({ tokens: Number.POSITIVE_INFINITY, contextTokens: Number.POSITIVE_INFINITY }),
    ).toBeUndefined();
  });
});
