import * as z from 'zod';
import { Forbidden } from '../../errors.ts';
import type { ModelTool } from '../../ports/language-model.ts';
import type { Mode } from '../schema.ts';
import type { Tool } from './tool.ts';

/** The tools of a run: in plan and ask those that only read; of these the ones that its skill allows (null = all). */
export function toolsFor(tools: Tool[], mode: Mode, allowedTools: string[] | null): Tool[] {
  return tools.filter(
    ({ name, readsOnly }) =>
      (mode === 'agent' || readsOnly) && (allowedTools === null || allowedTools.includes(name)),
  );
}

/** The same tools where nobody is there to approve a call: one that would need it fails at once, and says so. */
export function withoutApprovals(tools: Tool[]): Tool[] {
  return tools.map((tool) => (tool.approval === undefined ? tool : refusing(tool)));
}

function refusing(tool: Tool): Tool {
  return {
    ...tool,
    approval: undefined,
    async run(input, context) {
      if (tool.approval?.(input) !== undefined) throw new Forbidden(UNATTENDED);
      return tool.run(input, context);
    },
  };
}

const UNATTENDED =
  'This call needs the approval of a person, and nobody is there: it was not carried out. Go on without it.';

const described = new WeakMap<z.ZodObject, ModelTool>();

/** The tools as the model is told of them. */
export function modelTools(tools: Tool[]): ModelTool[] {
  return tools.map(describeTool);
}

/** Tools are made anew for each run, their schemas are not. */
function describeTool({ name, description, input }: Tool): ModelTool {
  const known = described.get(input);
  if (known !== undefined) return known;
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  const tool = { name, description, inputSchema };
  described.set(input, tool);
  return tool;
}
