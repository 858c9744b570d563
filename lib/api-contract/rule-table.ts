/** Converts between the rules and their views: the console's permission table, and the choice in the agent composer. */

export type RuleAction = 'allow' | 'ask' | 'deny';

export interface TableRule {
  tool: string;
  pattern: string;
  action: RuleAction;
}

/** The rules of a workspace, with the default rules that they follow. */
export interface RuleSet<Rule extends TableRule = TableRule> {
  rules: Rule[];
  defaults: TableRule[];
}

const READING = ['readFile', 'listDirectory', 'grep', 'searchWorkspace', 'research'];

/**
 * The rows of the table, with their tools. The first tools get the row's rule; a rule for `writeFile` also applies to
 * `editFile`.
 */
const ROWS = {
  read: { written: READING, own: READING },
  change: { written: ['writeFile'], own: ['writeFile', 'editFile'] },
  run: { written: ['bash'], own: ['bash'] },
  mcp: { written: ['mcp__*'], own: ['mcp__*'] },
} as const satisfies Record<string, { written: readonly string[]; own: readonly string[] }>;

export type RuleRow = keyof typeof ROWS;
export const RULE_ROWS = Object.keys(ROWS) as RuleRow[];

/** Returns whether a rule is about all calls of its tools. The table has only such rules. */
function isWhole({ pattern }: TableRule): boolean {
  return /^\*+$/.test(pattern);
}

/**
 * Returns whether a rule's tool, in which `*` matches any text, includes this tool, or all tools of a row
 * (`mcp__*`).
 */
export function coversTool({ tool }: Pick<TableRule, 'tool'>, name: string): boolean {
  return tool === name || (tool.includes('*') && wildcard(tool).test(name));
}

function wildcard(tool: string): RegExp {
  return new RegExp(`^${tool.split(/\*+/).map(escapeRegExp).join('.*')}$`);
}

function escapeRegExp(text: string): string {
  return text.replace(/[^\w]/g, '\\$&');
}

/** Returns the tools whose rules also apply to calls of this tool. */
function ruledAs(tool: string): string[] {
  return tool === 'editFile' ? ['editFile', 'writeFile'] : [tool];
}

/** Returns the last rule for all calls of a tool. The defaults have one for every tool. */
function wholeRuleOf({ rules, defaults }: RuleSet, tool: string): TableRule | undefined {
  const names = ruledAs(tool);
  return [...defaults, ...rules].findLast(
    (rule) => isWhole(rule) && names.some((name) => coversTool(rule, name)),
  );
}

/** Returns the action for a row's calls without exceptions; `mixed` if its tools differ. */
export function actionOfRow(set: RuleSet, row: RuleRow): RuleAction | 'mixed' {
  const actions = new Set(ROWS[row].own.map((tool) => wholeRuleOf(set, tool)?.action ?? 'allow'));
  const [first = 'allow', ...others] = actions;
  return others.length === 0 ? first : 'mixed';
}

/** Returns the row of a rule's tool; undefined if no row is for this tool alone. */
export function rowOfTool(tool: string): RuleRow | undefined {
  return RULE_ROWS.find((row) => ROWS[row].own.some((each) => coversTool({ tool: each }, tool)));
}

/** Returns whether the table shows a rule. Otherwise, the rule is an exception. */
export function isInTable(rule: TableRule): boolean {
  return RULE_ROWS.some((row) => isOfRow(rule, row));
}

function isOfRow(rule: TableRule, row: RuleRow): boolean {
  return isWhole(rule) && ROWS[row].own.some((tool) => tool === rule.tool);
}

/** Returns whether a later rule covers every call that this one matches, so that this one has no effect. */
export function isCovered(rules: TableRule[], at: number): boolean {
  const rule = rules[at];
  return (
    rule !== undefined &&
    rules.some((later, place) => place > at && isWhole(later) && coversTool(later, rule.tool))
  );
}

/**
 * Returns the rules with another action for a row. An existing rule of the row keeps its position, so that no
 * exception gains effect. A new one comes first, so that exceptions keep their effect.
 */
export function withRow<Rule extends TableRule>(
  { rules, defaults }: RuleSet<Rule>,
  row: RuleRow,
  action: RuleAction,
): (Rule | TableRule)[] {
  const { written, own } = ROWS[row];
  const added = written.map((tool): TableRule => ({ tool, pattern: '*', action }));
  const lastCovering = rules.findLastIndex(
    (rule) => isWhole(rule) && own.some((tool) => coversTool(rule, tool)),
  );
  const before = rules.slice(0, lastCovering + 1).filter((rule) => !isOfRow(rule, row));
  const after = rules.slice(lastCovering + 1);
  const without = { rules: [...before, ...after], defaults };
  const needsNone = before.length === 0 && actionOfRow(without, row) === action;
  return needsNone ? without.rules : [...before, ...added, ...after];
}

/** The modes of asking, from the strictest to no questions at all. */
export const ASK_MODES = ['changes', 'commands', 'never'] as const;
export type AskMode = (typeof ASK_MODES)[number];

const MODE_ROWS: Record<AskMode, { change: RuleAction; run: RuleAction }> = {
  changes: { change: 'ask', run: 'ask' },
  commands: { change: 'allow', run: 'ask' },
  never: { change: 'allow', run: 'allow' },
};

/**
 * The mode in which only commands that can leave the sandbox need approval: the rules of `commands`, and a
 * setting.
 */
export const SANDBOX_MODE = 'sandbox';

/** Tools that change files or run commands. */
const ACTING = ['writeFile', 'editFile', 'bash'];

/**
 * Returns the mode that the rules amount to, with the number of exceptions in effect; `custom` for other
 * rules.
 */
export function readAskMode(set: RuleSet & { sandboxed?: boolean }): {
  mode: AskMode | typeof SANDBOX_MODE | 'custom';
  exceptions: number;
} {
  const [change, run] = [actionOfRow(set, 'change'), actionOfRow(set, 'run')];
  const mode = ASK_MODES.find((each) => MODE_ROWS[each].change === change && MODE_ROWS[each].run === run);
  const { rules } = set;
  const exceptions = rules.filter(
    (rule, at) => !isWhole(rule) && ACTING.some((tool) => coversTool(rule, tool)) && !isCovered(rules, at),
  );
  const inSandbox = mode === 'commands' && set.sandboxed === true;
  return { mode: inSandbox ? SANDBOX_MODE : (mode ?? 'custom'), exceptions: exceptions.length };
}

/** Returns the rules with another mode. Exceptions stay unchanged. */
export function withAskMode<Rule extends TableRule>(set: RuleSet<Rule>, mode: AskMode): (Rule | TableRule)[] {
  const { change, run } = MODE_ROWS[mode];
  const rules = withRow(set, 'run', run);
  return withRow({ ...set, rules }, 'change', change);
}
