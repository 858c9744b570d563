import { TOOL_NAMES, type ToolName } from '../permissions/tool-names.ts';

/** The names of other assistants' tools, as skills in circulation carry them: ours that does the same, if there is one. */
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

/** The tools that a SKILL.md means by its names, each once; a name that nobody knows stays, to be refused by the schema. */
export function translateTools(names: string[]): string[] {
  return [...new Set(names.flatMap(translateTool))];
}

/** `Bash(git log:*)` names what needs no permission there; here the sandbox is what holds a command. */
function translateTool(name: string): readonly string[] {
  const bare = (name.split('(', 1)[0] ?? '').trim();
  if ((TOOL_NAMES as readonly string[]).includes(bare)) return [bare];
  if (bare.startsWith('mcp__')) return [];
  const key = bare.toLowerCase();
  return Object.hasOwn(FOREIGN, key) ? (FOREIGN[key] ?? []) : [bare];
}
