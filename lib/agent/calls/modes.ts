import * as z from 'zod';
import type { Mode } from '../../api-contract/runs.ts';
import { Forbidden } from '../../errors.ts';
import type { ModelTool } from '../../ports/language-model.ts';
import type { Tool } from '../tools/tool.ts';

/**
 * Returns the tools of a run: all of them in mode agent; in plan and ask, only the tools of every mode. A
 * skill may allow only some of these (null means all).
 */
export function toolsFor(tools: Tool[], mode: Mode, allowedTools: string[] | null): Tool[] {
  return tools.filter(
    ({ name, inEveryMode }) =>
      (mode === 'agent' || inEveryMode) && (allowedTools === null || allowedTools.includes(name)),
  );
}

/** Returns the tools for a run without approvals. A call that needs one fails at once, with the reason. */
export function withoutApprovals(tools: Tool[], reason: string = UNATTENDED): Tool[] {
  return tools.map((tool) => (tool.approval === undefined ? tool : refusing(tool, reason)));
}

function refusing({ approval, ...tool }: Tool, reason: string): Tool {
  return {
    ...tool,
    async run(input, context) {
      if (!approval?.needed(input)) return tool.run(input, context);
      await approval.refused?.(input, context);
      throw new Forbidden('approval_required', reason);
    },
  };
}

export const UNATTENDED =
  'This call needs the approval of a person, and nobody can be asked here. It was not run. Continue without it.';

/** Why a command could approve itself on this host. */
export const SELF_APPROVAL = {
  loopback: selfApproval('the service runs without sign-in (AUTH_MODE=disabled), and commands can reach it'),
  records: selfApproval(
    'commands run without a sandbox (ALLOW_UNSANDBOXED_COMMANDS=true) and can change its records',
  ),
};

function selfApproval(why: string): string {
  return `This call needs the approval of a person, but on this host a command could approve it: ${why}. It was not run. Continue without it.`;
}

const described = new WeakMap<z.ZodObject, ModelTool>();

/** Returns the tools as described to the model. */
export function modelTools(tools: Tool[]): ModelTool[] {
  return tools.map(describeTool);
}

/** Tools are created for each run, but described only once. */
function describeTool({ name, description, input, inputSchema: given }: Tool): ModelTool {
  if (given !== undefined) return { name, description, inputSchema: given };
  const known = described.get(input);
  if (known !== undefined) return known;
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  const tool = { name, description, inputSchema };
  described.set(input, tool);
  return tool;
}
