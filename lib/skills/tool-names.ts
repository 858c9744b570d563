import { TOOL_NAMES, type ToolName } from '../api-contract/tool-names.ts';
import { ownValue } from '../text/own-value.ts';

/** Tool names in published skills of other assistants, with the equivalents of this service, if any. */
const FOREIGN: Record<string, ToolName[]> = {
  read: ['readFile'],
  write: ['writeFile'],
  edit: ['editFile'],
  multiedit: ['editFile'],
  bash: ['bash'],
  bashoutput: [],
  killshell: [],
  grep: ['grep'],
  glob: ['listDirectory'],
  ls: ['listDirectory'],
  webfetch: [],
  websearch: [],
  notebookread: ['readFile'],
  notebookedit: [],
  task: [],
  agent: [],
  todowrite: [],
  todoread: [],
  askuserquestion: [],
  exitplanmode: [],
  slashcommand: [],
  skill: ['getSkill'],
};

/** Returns the tools that a SKILL.md names, each once. An unknown name stays, and the schema rejects it. */
export function translateTools(names: string[]): string[] {
  return [...new Set(names.flatMap(translateTool))];
}

/**
 * `Bash(git log:*)` names commands that need no permission in other assistants; here the sandbox restricts commands.
 */
function translateTool(name: string): readonly string[] {
  const bare = (name.split('(', 1)[0] ?? '').trim();
  if ((TOOL_NAMES as readonly string[]).includes(bare)) return [bare];
  if (bare.startsWith('mcp__')) return [];
  const key = bare.toLowerCase();
  return ownValue(FOREIGN, key) ?? [bare];
}
