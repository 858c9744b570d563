import { isGitPath } from './git-folder.ts';
import { realPathOf } from './paths.ts';
import { decide, isGranted, isRestricted, type RuleDecision, type Subject, strictest } from './rules.ts';
import type { Action, Grant, Rule } from './schema.ts';
import { isReading } from './shell/programs.ts';
import { readScript, type ShellCommand, type ShellScript } from './shell/read-script.ts';
import { HOLE } from './template.ts';

/**
 * The argument of a call with which patterns are compared: a shell script, a workspace path, a folder tree,
 * or any text.
 */
export interface Argument {
  kind: 'shell' | 'path' | 'tree' | 'text';
  text: string;
}

export interface JudgedCall {
  /** The called tool, followed by other tools whose rules apply to it too. */
  tools: string[];
  argument: Argument;
}

/** The folder to which paths are relative. */
export interface PathOrigin {
  rootPath: string;
  /** Relative to the root. */
  cwd: string;
}

export interface Judgement {
  action: Action;
  /** The reason, as a sentence; undefined for an allowed call. */
  reason: string | undefined;
  /** All reasons; `reason` has only the first five. */
  reasons: string[];
  /**
   * The parts of the question for which a pattern can be offered. Empty if the call needs approval each time.
   */
  subjects: string[];
}

/** The tools whose rules apply to changing a file. */
export const WRITE_TOOLS = ['writeFile'];

/**
 * Applies the rules to a call: each of its actions is judged, and the strictest decision counts. A grant replaces an
 * approval, never a denial.
 */
export async function judge(
  rules: Rule[],
  call: JudgedCall,
  place: PathOrigin,
  grants: Grant[] = [],
): Promise<Judgement> {
  const subjects = await subjectsOf(rules, call, place);
  const judged = subjects.map((subject) => ({ subject, ...decideWith(rules, subject, grants) }));
  const { action } = strictest([ALLOWED, ...judged]);
  if (action === 'allow') return { action, reason: undefined, reasons: [], subjects: [] };
  const decisive = judged.filter((each) => each.action === action);
  const reasons = decisive.map(explain);
  return {
    action,
    reason: reasons.slice(0, MAX_REASONS).join('; '),
    reasons: [...new Set(reasons)],
    subjects: patternsFor(
      decisive.map(({ subject }) => subject),
      call.tools,
    ),
  };
}

const ALLOWED: RuleDecision = { action: 'allow', rule: undefined };
const MAX_REASONS = 5;
const MAX_SHOWN = 300;

function decideWith(rules: Rule[], subject: Subject, grants: Grant[]): RuleDecision {
  const decision = decide(rules, subject);
  return decision.action === 'ask' && isGranted(grants, subject) ? ALLOWED : decision;
}

interface Named extends Subject {
  /** The form to show to people; by default the first form. */
  shown?: string;
}

async function subjectsOf(
  rules: Rule[],
  { tools, argument }: JudgedCall,
  place: PathOrigin,
): Promise<Named[]> {
  const { kind, text } = argument;
  if (kind === 'shell') return shellSubjects(rules, tools, text, place);
  if (kind === 'text') return [{ kind, tools, forms: [text.replaceAll(HOLE, ' ')] }];
  const found = await pathForms(place, text);
  if (found === undefined) return []; // outside the workspace, the tool itself rejects the call
  const forms = kind === 'tree' ? found.flatMap((path) => [path, below(path)]) : found;
  const inGit = WRITE_TOOLS.some((tool) => tools.includes(tool)) && found.some(isGitPath);
  return [{ kind: 'path', tools, forms, inGit }];
}

/** Returns the pattern for everything below a path, because reading a tree includes all its files. */
function below(path: string): string {
  return path === '' ? HOLE : `${path}/${HOLE}`;
}

async function shellSubjects(
  rules: Rule[],
  tools: string[],
  source: string,
  place: PathOrigin,
): Promise<Named[]> {
  const writes = isRestricted(rules, WRITE_TOOLS);
  const script = readScript(source);
  const git: Named[] = script.changesGit
    ? [{ kind: 'text', tools, forms: [HOLE], inGit: true, shown: 'a change' }]
    : [];
  // If everything is allowed, the rest can be skipped. Otherwise, anything that isn't understood would need
  // approval.
  if (!writes && !isRestricted(rules, tools)) return git;
  const commands = distinct(script.commands).map((command): Named => ({ kind: 'text', tools, ...command }));
  const unknown = distinct(script.doubts).map((shown): Named => {
    return {
      kind: 'text',
      tools,
      forms: [HOLE],
      opaque: true,
      shown: `a part that can't be checked: ${shown}`,
    };
  });
  const hidden = script.hidden.map((form): Named => ({ kind: 'text', tools, forms: [form], wrapper: true }));
  const restricted = hidden.filter((subject) => decide(rules, subject).action !== 'allow');
  return [
    ...commands,
    ...git,
    ...unknown,
    ...restricted,
    ...(writes ? await writeSubjects(script, place) : []),
  ];
}

function distinct<Item>(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

async function writeSubjects(script: ShellScript, place: PathOrigin): Promise<Named[]> {
  const texts = [...script.writes, ...(script.doubts.length === 0 ? [] : [HOLE])];
  const steady = script.commands.every(isSteady);
  const subjects = texts.map(async (text): Promise<Named | undefined> => {
    const forms = await pathForms(place, text);
    const sure = steady && !text.includes(HOLE);
    if (sure && forms === undefined) return undefined; // outside the workspace
    return { kind: 'path', tools: WRITE_TOOLS, forms: sure && forms ? forms : [HOLE], shown: `> ${text}` };
  });
  return (await Promise.all(subjects)).filter((subject) => subject !== undefined);
}

/**
 * Returns whether a command changes no folder and creates no link, so that a checked path still has the same
 * target.
 */
export function isSteady({ words: [name = '', ...args], opaque }: ShellCommand): boolean {
  return name === '>' || (!opaque && isReading(name, args));
}

/** Returns the path as written and its real location. Undefined if that is outside the workspace. */
async function pathForms({ rootPath, cwd }: PathOrigin, text: string): Promise<string[] | undefined> {
  const found = await realPathOf(rootPath, cwd, text);
  return found && [...new Set([found.plain, found.real])];
}

function explain({ subject, action, rule }: RuleDecision & { subject: Named }): string {
  const shown = show(subject.shown ?? subject.forms[0] ?? '');
  if (rule === undefined) return shown;
  if (subject.inGit && rule.action === 'allow') return `${shown} in .git, whose contents git can run`;
  const verb = action === 'deny' ? 'denies' : 'requires approval of';
  return subject.opaque && subject.shown !== undefined
    ? shown
    : `the rule ${rule.tool} ${JSON.stringify(rule.pattern)} ${verb} ${JSON.stringify(shown)}`;
}

/** Returns the text with its unknown parts made readable. */
function show(text: string): string {
  const plain = text.replaceAll(/\0+/g, '…');
  return plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN).toWellFormed()}…` : plain;
}

/**
 * Returns the patterns to offer. Empty if a part wasn't understood, or the rule of another tool applies (to a
 * write).
 */
function patternsFor(subjects: Named[], tools: string[]): string[] {
  const whole = subjects.filter(
    ({ forms: [form = HOLE], ...of }) => !form.startsWith(HOLE) && of.tools === tools,
  );
  if (whole.length < subjects.length) return [];
  return [...new Set(whole.map(({ forms: [form = ''] }) => show(form)))];
}
