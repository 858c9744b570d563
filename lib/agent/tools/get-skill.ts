import * as z from 'zod';
import type { Caller } from '../../access/caller.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({ slug: z.string().min(1).max(200) });

/** Returns the instructions of a skill that this caller may use in this workspace. Throws NotFound. */
export type LoadSkill = (caller: Caller, workspaceId: string, slug: string) => Promise<SkillInstructions>;

interface SkillInstructions {
  name: string;
  slug: string;
  description: string;
  instructions: string;
  steps: { instruction: string; toolHint?: string | undefined }[];
}

export function getSkillTool({ loadSkill }: { loadSkill: LoadSkill }) {
  return defineTool({
    name: 'getSkill',
    description: 'Returns the instructions of a skill (a recipe for a kind of task) by its slug.',
    input,
    inEveryMode: false,
    ruled: { kind: 'text', argument: ({ slug }) => slug },
    timeoutMs: 15_000,
    run({ slug }, { caller, workspace }) {
      return loadSkill(caller, workspace.id, slug);
    },
  });
}
