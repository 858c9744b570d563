import { isGitPath } from './git-folder.ts';
import type { Action, Grant, Rule } from './schema.ts';
import { asText, type Fit, fitTo, HOLE, type PatternKind, programOf } from './template.ts';

/**
 * What holds before any rule of a workspace: what the service did before there were rules. A tool of an outside server is
 * asked about. What a tool itself asks a person for (submitJob, changes of the cluster) it asks for whatever rules say.
 */
export const DEFAULTS: Rule[] = [
  { tool: '*', pattern: '*', action: 'allow' },
  { tool: 'mcp__*', pattern: '*', action: 'ask' },
];

/** One thing that a call does, as rules see it. */
export interface Subject {
  kind: PatternKind;
  /** The tools whose rules are asked: the tool itself, and others whose rules hold for it too (an edit is a write). */
  tools: string[];
  /** Every way in which the argument may be written: each is judged, and the strictest word counts. With holes. */
  forms: string[];
  /** It may do anything, an interpreter with its script: only a rule that names it allows it. */
  opaque?: boolean;
  /** What does the work is judged for itself (timeout 5 …): only a rule that names this one counts. */
  wrapper?: boolean;
  /** It changes what git runs: only a rule that names `.git` allows it. */
  inGit?: boolean;
}

export interface RuleDecision {
  action: Action;
  /** What decided; undefined where nothing was sure. */
  rule: Rule | undefined;
}

const STRICTNESS: Record<Action, number> = { allow: 0, ask: 1, deny: 2 };

export function strictest(decisions: RuleDecision[]): RuleDecision {
  return decisions.reduce((strict, each) =>
    STRICTNESS[each.action] > STRICTNESS[strict.action] ? each : strict,
  );
}

/** The last rule that fits wins. Where it is not known which one fits, it is asked, unless all say the same. */
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

/** Goes from the last rule that may fit back to the one that surely does. */
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

/** What the rules say of a tool whose patterns are about its input as a text; `depends`: not the same of every call. */
export function decideTool(rules: Rule[], tool: string): Action | 'depends' {
  const possible = possibleDecisions(rules, { kind: 'text', tools: [tool], forms: [HOLE] }, HOLE);
  const [first = 'allow', ...others] = new Set(possible.map(({ action }) => action));
  return others.length === 0 ? first : 'depends';
}

/** A word that was meant for everything does not let through what can do anything, where something else is held back. */
function actionOf(rule: Rule, { opaque, inGit, tools }: Subject, form: string, rules: Rule[]): Action {
  if (rule.action !== 'allow') return rule.action;
  if (inGit && !isGitPath(rule.pattern)) return 'ask';
  if (!opaque || names(rule, form)) return 'allow';
  return isRestricted(rules, tools) ? 'ask' : 'allow';
}

/** Whether the pattern begins with the whole name of the program. */
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

/** Whether any call of these tools may be asked about or denied. */
export function isRestricted(rules: Rule[], tools: string[]): boolean {
  return rules.some((rule) => rule.action !== 'allow' && tools.some((tool) => isAboutTool(rule, tool)));
}

/** Whether a grant is for this, whatever its holes hold, in each of its forms. */
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
 * The denying rule of which a new one at this place would let something through that is denied now; undefined where there
 * is none. What a rule in between covers wholly was let through before. `tools`: all whose rules hold for the added one's.
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
