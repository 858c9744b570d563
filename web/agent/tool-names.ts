import type { Schemas } from '../api/schema.ts';

export type ToolName = NonNullable<NonNullable<Schemas['CreateSkill']['allowedTools']>>[number];

/** The agent's own tools: the type tells when one is missing here. */
const TOOLS: Record<ToolName, true> = {
  readFile: true,
  listDirectory: true,
  grep: true,
  writeFile: true,
  editFile: true,
  bash: true,
  searchWorkspace: true,
  searchArticles: true,
  readPaper: true,
  research: true,
  getSkill: true,
  cluster: true,
  submitJob: true,
  collectJobResults: true,
};

export const TOOL_NAMES = Object.keys(TOOLS) as ToolName[];
