import { isGitPath } from './git-folder.ts';
import type { Action, Grant, Rule } from './schema.ts';
import { asText, type Fit, fitTo, HOLE, type PatternKind, programOf } from './template.ts';

/**
 * The defaults below a workspace's rules, which reproduce the behavior before rules existed. Tools of
 * external servers, and searches of the web, need approval. A tool that itself asks a person (submitJob, cluster changes) asks whatever
 * the rules say.
 */
export const DEFAULTS: Rule[] = [
  { tool: '*', pattern: '*', action: 'allow' },
  { tool: 'mcp__*', pattern: '*', action: 'ask' },
  { tool: 'webSearch', pattern: '*', action: 'ask' },
];

/** One action of a call, as the rules judge it. */
export interface Subject {
  kind: PatternKind;
  /** The tools whose rules apply: the tool itself, and related ones (an edit is also a write). */
  tools: string[];
  /**
   * Every way to write the argument, with unknown parts. Each form is judged, and the strictest decision
   * counts.
   */
  forms: string[];
  /**
   * True if the command may do anything, like an interpreter with its script. Only a rule that names the
   * command allows it.
   */
  opaque?: boolean;
  /**
   * True if the command that it starts is judged separately (timeout 5 …). Only a rule that names this
   * wrapper counts.
   */
  wrapper?: boolean;
  /** True if the command changes programs that git runs. Only a rule that names `.git` allows it. */
  inGit?: boolean;
}

export interface RuleDecision {
  action: Action;
  /** The rule that decided; undefined if no rule certainly applied. */
  rule: Rule | undefined;
}

const STRICTNESS: Record<Action, number> = { allow: 0, ask: 1, deny: 2 };

export function strictest(decisions: RuleDecision[]): RuleDecision {
  return decisions.reduce((strict, each) =>
    STRICTNESS[each.action] > STRICTNESS[strict.action] ? each : strict,
  );
}

/**
 * Applies the last matching rule. If it's uncertain which rule matches, the call needs approval, unless all
 * rules that may match agree.
 */
export function decide(rules: Rule[], subject: Subject): RuleDecision {
  return strictest(subject.forms.map((form) => decideForm(rules, subject, form)));
}

function decideForm(rules: Rule[], subject: Subject, form: string): RuleDecision {
  const possible = possibleDecisions(rules, subject, form);
  const [first, ...others] = possible;
  if (first === undefined) return { action: 'allow', rule: undefined };
  if (others.every(({ action }) => action === first.action)) return first;
  return { action: 'ask', rule: possible.find(({ action }) => action !== 'allow')?.rule };
}

/** Returns the decisions from the last rule that may match back to the first one that certainly does. */
function possibleDecisions(rules: Rule[], subject: Subject, form: string): RuleDecision[] {
  const possible: RuleDecision[] = [];
  for (const rule of rules.toReversed()) {
    if (subject.wrapper && !names(rule, form)) continue;
    const how = fitOf(rule, subject, form);
    if (how === 'no') continue;
    possible.push({ action: actionOf(rule, subject, form, rules), rule });
    if (how === 'surely') break;
  }
  return possible;
}

/**
 * Returns what the rules say about a tool whose patterns match its whole input; `depends` if that differs
 * between calls.
 */
export function decideTool(rules: Rule[], tool: string): Action | 'depends' {
  const possible = possibleDecisions(rules, { kind: 'text', tools: [tool], forms: [HOLE] }, HOLE);
  const [first = 'allow', ...others] = new Set(possible.map(({ action }) => action));
  return others.length === 0 ? first : 'depends';
}

/**
 * Returns a rule's action. As long as another rule restricts something, a catch-all rule doesn't allow a
 * command that can do anything.
 */
function actionOf(rule: Rule, { opaque, inGit, tools }: Subject, form: string, rules: Rule[]): Action {
  if (rule.action !== 'allow') return rule.action;
  if (inGit && !isGitPath(rule.pattern)) return 'ask';
  if (!opaque || names(rule, form)) return 'allow';
  return isRestricted(rules, tools) ? 'ask' : 'allow';
}

/** Returns whether the pattern starts with the full name of the program. */
function names({ pattern }: Rule, form: string): boolean {
  const program = programOf(form);
  const [beginning = ''] = pattern.split('*');
  return program !== '' && beginning.startsWith(program);
}

function fitOf(rule: Rule, { kind, tools }: Subject, form: string): Fit {
  if (!tools.some((tool) => isAboutTool(rule, tool))) return 'no';
  return rule.pattern === '*' ? 'surely' : fitTo(kind, rule.pattern, form);
}

export function isAboutTool({ tool }: Pick<Grant, 'tool'>, name: string): boolean {
  return tool === name || fitTo('text', tool, name) === 'surely';
}

/** Returns whether any call of these tools may need approval or be denied. */
export function isRestricted(rules: Rule[], tools: string[]): boolean {
  return rules.some((rule) => rule.action !== 'allow' && tools.some((tool) => isAboutTool(rule, tool)));
}

/** Tools whose rules restrict access to files. */
const FILE_TOOLS = ['readFile', 'listDirectory', 'grep', 'writeFile', 'editFile'];

/**
 * Returns the rules for a command that can't leave its sandbox: rules that ask about every command don't
 * apply. If a rule restricts files, all rules apply, because a command can read and write every file of the
 * workspace.
 */
export function rulesInSandbox(rules: Rule[]): Rule[] {
  const others = rules.filter(
    ({ tool, pattern, action }) => !(tool === 'bash' && action === 'ask' && /^\*+$/.test(pattern)),
  );
  return isRestricted(others, FILE_TOOLS) ? rules : others;
}

/** Returns whether a grant covers the subject in each of its forms, whatever its unknown parts contain. */
export function isGranted(grants: Grant[], subject: Subject): boolean {
  return subject.forms.every((form) =>
    grants.some((grant) => {
      const rule: Rule = { ...grant, action: 'allow' };
      const isMeant = (!subject.opaque || names(rule, form)) && (!subject.inGit || isGitPath(rule.pattern));
      return isMeant && fitOf(rule, subject, form) === 'surely';
    }),
  );
}

/**
 * Returns the denying rule that a new rule at this position would partly lift; undefined if there is none.
 * Calls that a rule in between covers completely were already allowed. `tools` are all tools whose rules
 * apply to the new rule's tools.
 */
export function liftedDeny(
  rules: Rule[],
  kind: PatternKind,
  added: Grant,
  tools: string[],
): Rule | undefined {
  const wide = asText(added.pattern);
  for (const rule of rules.toReversed()) {
    if (!tools.some((tool) => isAboutTool(rule, tool))) continue;
    const how = rule.pattern === '*' ? 'surely' : fitTo(kind, rule.pattern, wide);
    if (how !== 'no' && rule.action === 'deny') return rule;
    if (how === 'surely') return undefined;
  }
  return undefined;
}
