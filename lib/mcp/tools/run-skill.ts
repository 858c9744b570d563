import * as z from 'zod';
import { runToEnd, type UnattendedRun } from '../../agent/start/unattended-run.ts';
import { idSchema } from '../../identifiers.ts';
import type { McpPorts } from '../ports.ts';
import { findNamed } from './find-workspace.ts';
import { defineMcpTool, type McpContext } from './tool.ts';
import { describeEnded, watchCalls } from './watch-calls.ts';

const input = z.strictObject({
  workspaceId: idSchema.describe('ID of a workspace from list_workspaces.'),
  skill: z
    .string()
    .min(1)
    .max(200)
    .describe("Slug of the skill. The prompts of this server are skills, and a prompt's name is the slug."),
  parameters: z
    .record(z.string().max(100), z.union([z.string().max(10_000), z.number(), z.boolean()]))
    .default({})
    .refine((values) => Object.keys(values).length <= 50, 'must have at most 50 values'),
  request: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .default('Do it.')
    .describe('Additional request for the agent.'),
});

export function runSkillTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'run_skill',
    title: 'Run a skill',
    description:
      "Runs a skill with the agent of the service in a workspace. The agent can write files and run commands there, and takes minutes. Returns its final answer, with citations as `ask` does. Actions that need a person's approval are denied. The run continues if the call is canceled.",
    access: 'member',
    input,
    hints: { readOnly: false, destructive: true, openWorld: true },
    foreign: true,
    async run({ workspaceId, skill, parameters, request }, context) {
      const workspace = await findNamed(ports, context, workspaceId);
      const task = {
        workspace,
        mode: 'agent' as const,
        prompt: request,
        skillId: skill,
        params: parameters,
      };
      return carryOut(ports, { ...task, rightsOf: null }, context);
    },
  });
}

async function carryOut(ports: McpPorts, task: UnattendedRun, context: McpContext) {
  const { watch, calls } = watchCalls(context);
  const ended = await runToEnd(ports, context.caller, task, watch);
  context.signal.throwIfAborted();
  return { ...describeEnded(ended), calls: calls() };
}
