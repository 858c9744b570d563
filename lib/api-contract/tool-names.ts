/** The agent's own tools, which a rule, a task's `permits`, and a skill's `allowedTools` may name. */
export const TOOL_NAMES = [
  'readFile',
  'listDirectory',
  'grep',
  'writeFile',
  'editFile',
  'bash',
  'searchWorkspace',
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
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];
