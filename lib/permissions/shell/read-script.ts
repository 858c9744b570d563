import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash';
import { isGitPath } from '../git-folder.ts';
import { HOLE, isKnown, joinWords } from '../template.ts';
import { gitCommand, isOpaque, programName, variablesSet } from './programs.ts';
import { argumentText, gitText, wordText } from './words.ts';
import { handedOn } from './wrappers.ts';

/** A command of a script, as rules see it. */
export interface ShellCommand {
  /** Its words with a space between, in all the ways in which a rule may mean it. */
  forms: string[];
  opaque: boolean;
  /** It only starts another, which is in the list too. */
  wrapper: boolean;
}

export interface ShellScript {
  commands: ShellCommand[];
  /** Files that the shell itself writes, by `>` and its kin; with holes. */
  writes: string[];
  /** Something of it may change what lies in a folder of git. */
  changesGit: boolean;
  /** What was not understood, in words: the script may then do anything. */
  doubts: string[];
}

const MAX_SCRIPT = 5_000;
const MAX_COMMANDS = 200;
const MAX_DEPTH = 5;
/** Characters that a person does not see, or takes for others; the shell takes each for a part of a word. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0]|(?! )[\p{Zs}\p{Zl}\p{Zp}\p{Cf}\p{Co}]/u;

/**
 * The commands that a script of bash would run, as far as the script tells: all that stand in it, whether it comes to them
 * or not. What is not known to be harmless is a doubt; nothing is taken for less than it may be. Never throws.
 */
export function readScript(source: string): ShellScript {
  const found: ShellScript = { commands: [], writes: [], changesGit: false, doubts: [] };
  try {
    readInto(found, source, 0);
  } catch {
    found.doubts.push('it could not be read');
    found.changesGit ||= NAMES_GIT.test(source);
  }
  if (found.commands.length === 0)
    found.commands.push({ forms: [source.trim()], opaque: false, wrapper: false });
  return found;
}

function readInto(found: ShellScript, source: string, depth: number): void {
  if (source.length > MAX_SCRIPT) {
    found.doubts.push(`it is longer than ${MAX_SCRIPT} characters`);
    found.changesGit ||= NAMES_GIT.test(source);
    return;
  }
  if (depth > MAX_DEPTH) return void found.doubts.push('scripts within scripts');
  if (UNSEEN.test(source)) found.doubts.push('characters that nobody sees');
  visit(found, parse(source), depth);
}

function visit(found: ShellScript, node: SyntaxNode, depth: number): void {
  if (found.commands.length > MAX_COMMANDS) throw new Error('too many commands');
  const doubt = doubtOf(node);
  if (doubt !== undefined) found.doubts.push(doubt);
  if (node.type === 'Command') readCommand(found, node, depth);
  if (node.type === 'Redirect') readRedirect(found, node);
  forEachChild(node, (child) => visit(found, child, depth));
}

/** All that is known to be harmless by itself; its parts are looked at one by one. */
const PLAIN = new Set([
  ...[
    'Statement',
    'CompoundList',
    'CaseItem',
    'Elif',
    'AndOr',
    'Pipeline',
    'Time',
    'Negation',
    'Command',
    'Redirected',
  ],
  ...[
    'If',
    'For',
    'While',
    'Function',
    'Subshell',
    'BraceGroup',
    'Case',
    'Word',
    'Redirect',
    'HereString',
    'HereDoc',
  ],
  ...[
    'HereDocDelimiter',
    'HereDocBody',
    'FileDescriptor',
    'Literal',
    'Glob',
    'SingleQuoted',
    'DoubleQuoted',
    'ArrayValue',
  ],
  ...[
    'AnsiCQuoted',
    'SimpleExpansion',
    'CommandExpansion',
    'ProcessSubstitution',
    'BraceExpansion',
    'Default',
    'Remove',
  ],
  ...['Replace', 'CaseModification', 'TestCommand', 'TestLogical', 'TestNot', 'TestGroup'],
  ...['ArithmeticExpansion', 'ArithmeticCommand', 'ArithmeticFor', 'ArithmeticBinary', 'ArithmeticUnary'],
  ...['ArithmeticTernary', 'ArithmeticGroup'],
]);

type NodeOf<Type> = Extract<SyntaxNode, { type: Type }>;
type Doubts = { [Type in SyntaxNode['type']]?: (node: NodeOf<Type>) => string | false | undefined };

const DOUBTS: Doubts = {
  Script: (node) => 'errors' in node && node.errors !== undefined && 'it is no script that bash would take',
  CommandExpansion: withoutScript,
  ProcessSubstitution: withoutScript,
  Assignment: ({ name, index }) => (index === undefined ? variableDoubt(name) : 'a place of an array'),
  For: ({ name }) => variableDoubt(name.value),
  ParameterExpansion: ({ prefix, index, operation }) =>
    (prefix === '!' || index !== undefined || operation?.operator.includes('=')) &&
    'a variable that names others, or is set while it is read',
  ArithmeticWord: ({ value }) =>
    !/^\d+$/.test(value) && 'arithmetic with names: what they hold is run as code',
  TestUnary: ({ operator }) => /^-[vR]$/.test(operator) && 'a test of a variable by its name',
  TestBinary: ({ operator }) =>
    /^-(eq|ne|lt|le|gt|ge)$/.test(operator) && 'a test of numbers: they are run as code',
};

function doubtOf(node: SyntaxNode): string | undefined {
  const look = DOUBTS[node.type] as ((node: SyntaxNode) => string | false | undefined) | undefined;
  if (look !== undefined) return look(node) || undefined;
  return PLAIN.has(node.type) ? undefined : `${node.type} is not understood`;
}

function withoutScript({ script }: { script?: unknown }): string | false {
  return script === undefined && 'a substitution without a script';
}

/** Variables that say which programs are started, or what others are to do besides. */
const STEERING =
  /^(PATH|IFS|ENV|HOME|CDPATH|TMPDIR|FPATH|SHELL.*|PS\d|PROMPT_COMMAND|FUNCNEST|GLOBIGNORE|POSIXLY_CORRECT|MAILPATH|HIST.*|BASH.*|LD_.*|DYLD_.*|GIT_.*|XDG_.*|SSH_.*|PYTHON.*|PERL.*|RUBY.*|NODE_.*|NPM_.*|npm_.*|JAVA_.*|_JAVA.*|JDK_.*|CLASSPATH|LUA_.*|PHP.*|GCONV_PATH|LESS.*|MAN.*|VIM.*|EXINIT|MAKE.*|TAR_.*|RIPGREP_.*|RSYNC_.*|CC|CXX|LOCPATH|NLSPATH|.*(PAGER|EDITOR|VISUAL|BROWSER|COMMAND|ASKPASS|OPTIONS|OPTS|FLAGS|PRELOAD|STARTUP|CONFIG|RC|PROXY|proxy))$/;

function isTrusted(variable: string): boolean {
  return /^[A-Za-z_]\w*$/.test(variable) && !STEERING.test(variable);
}

function variableDoubt(name: string): string | undefined {
  return isTrusted(name) ? undefined : `the variable ${name}`;
}

/** Looked for in a script that was not taken apart. */
const NAMES_GIT = /(?<![\w-])\.git(?![\w-])/i;
const READING = new Set([
  'ls',
  'cat',
  'head',
  'tail',
  'grep',
  'wc',
  'stat',
  'test',
  '[',
  'echo',
  'printf',
  'find',
  'git',
  'rg',
  'du',
  'tree',
  'file',
  'diff',
]);

/** Hooks and settings there say what git runs. What is left out by its name is not touched. */
function changesGit(name = '', args: string[]): boolean {
  const named = READING.has(name)
    ? writtenByReader(name, args)
    : args.filter((text) => !text.startsWith('--exclude'));
  return named.some((text) => isGitPath(text.replaceAll('=', '/')));
}

/** Options of those that else only read, before the file that they write. */
const OUTPUT = /^(-o|--output|-fprint0?|-fprintf|-fls)$/;
const WITH_OUTPUT = new Set(['find', 'git', 'tree']);
/** What find does to the files that it finds. */
const CHANGES_FOUND = /^-(delete|exec|execdir|ok|okdir)$/;

function writtenByReader(name: string, args: string[]): string[] {
  if (!WITH_OUTPUT.has(name)) return [];
  const written = args.filter((text, at) => text.startsWith('--output=') || OUTPUT.test(args[at - 1] ?? ''));
  const changes = name === 'find' && args.some((text) => CHANGES_FOUND.test(text));
  return changes ? [...written, ...startsOf(args)] : written;
}

/** Where find begins: what stands before its conditions, and the options before that take no value here. */
function startsOf(args: string[]): string[] {
  const from = args.findIndex((text) => !/^-[HLP]$/.test(text));
  const starts = args.slice(Math.max(from, 0));
  const end = starts.findIndex((text) => /^[-(!]/.test(text));
  return end < 0 ? starts : starts.slice(0, end);
}

function readRedirect(
  found: ShellScript,
  { operator, target, descriptor }: Redirection & { type: 'Redirect' },
): void {
  if (descriptor?.type === 'FileDescriptorVariable') found.doubts.push('a redirection that sets a variable');
  if (operator === '<' || operator === '<&') return;
  const text = target === undefined ? HOLE : wordText(target);
  if (operator === '>&' && /^(\d+-?|-)$/.test(text)) return;
  if (isGitPath(text)) found.changesGit = true;
  if (!/^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/.test(text)) found.writes.push(text);
}

/** What only sets variables does nothing by itself. */
function readCommand(found: ShellScript, { name, args, redirects }: Command, depth: number): void {
  if (name === undefined && redirects.length === 0) return;
  if (name === undefined) return void found.commands.push({ forms: ['>'], opaque: false, wrapper: false });
  const [plain, chosen] = [args.map(argumentText), args.map(gitText)];
  readWords(found, [wordText(name), ...plain], depth);
  if (chosen.some((text, at) => text !== plain[at]))
    found.changesGit ||= choosesGit([wordText(name), ...chosen], depth);
}

/** Whether one of the choices of its braces leads there. */
function choosesGit(words: string[], depth: number): boolean {
  const found: ShellScript = { commands: [], writes: [], changesGit: false, doubts: [] };
  readWords(found, words, depth);
  return found.changesGit;
}

/** The words of one command, and of what it hands on. */
function readWords(found: ShellScript, [program = '', ...args]: string[], depth: number): void {
  if (depth > MAX_DEPTH) return void found.doubts.push('commands within commands');
  if (!isKnown(program)) return void found.doubts.push('the name of a command is made while it runs');
  const name = programName(program);
  found.changesGit ||= changesGit(name, args);
  const handed = name === undefined ? undefined : handedOn(name, args);
  const clear = handed === 'unclear' ? undefined : handed;
  const wrapper = clear?.transparent ?? false;
  const opaque = name === undefined || handed === 'unclear' || (!wrapper && isOpaque(name, args));
  found.commands.push({ forms: formsOf(program, name, args), opaque, wrapper });
  const variables = [...variablesSet(name, args), ...(clear?.variables ?? [])];
  found.doubts.push(...variables.flatMap((variable) => variableDoubt(variable) ?? []));
  for (const words of clear?.commands ?? []) readWords(found, words, depth + 1);
  for (const script of clear?.scripts ?? []) readInto(found, script, depth + 1);
}

/**
 * A program as it is written, by its name alone, and as a file system without capital letters takes it; git also without
 * its options.
 */
function formsOf(program: string, name: string | undefined, args: string[]): string[] {
  const own = name ?? program;
  const named = [own, own.toLowerCase()].map((first) => joinWords([first, ...args]));
  const command = name === 'git' ? gitCommand(args) : undefined;
  const git = command === undefined ? [] : [joinWords(['git', ...command])];
  return [...new Set([...named, ...git])];
}
