import * as z from 'zod';
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
