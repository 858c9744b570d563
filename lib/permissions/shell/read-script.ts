import { type Command, forEachChild, parse, type Redirection, type SyntaxNode, type Word } from 'unbash';
import { isGitPath } from '../git-folder.ts';
import { HOLE, isKnown, joinWords } from '../template.ts';
import { gitCommand, pathsGitWrites } from './git-commands.ts';
import { isOpaque, programName, variablesSet } from './programs.ts';
import { argumentText, gitText, wordSet, wordText } from './words.ts';
import { type Dialect, type Handed, handedOn } from './wrappers.ts';

/** A command of a script, as rules see it. */
export interface ShellCommand {
  /** The name of the program and its arguments, as it receives them, with holes. */
  words: string[];
  /** Its words joined by spaces, in every way that a rule may mean it. */
  forms: string[];
  opaque: boolean;
  /** It only starts another command, which is in the list too. */
  wrapper: boolean;
  /** It runs in folders that the script doesn't name. */
  elsewhere: boolean;
}

export interface ShellScript {
  commands: ShellCommand[];
  /** Files that the shell itself writes, by `>` and similar; with holes. */
  writes: string[];
  /** Something in it may change the contents of a git folder. */
  changesGit: boolean;
  /** Parts that weren't understood, in words: the script may then do anything. */
  doubts: string[];
  /** Words with holes, as they are written in the script. */
  written: Map<string, string>;
}

function emptyScript(): ShellScript {
  return { commands: [], writes: [], changesGit: false, doubts: [], written: new Map() };
}

const PLAIN_COMMAND = { opaque: false, wrapper: false, elsewhere: false };
const MAX_SCRIPT = 5_000;
const MAX_COMMANDS = 200;
const MAX_DEPTH = 5;
/** Characters that a person doesn't see or mistakes for others; the shell treats each as part of a word. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0]|(?! )[\p{Zs}\p{Zl}\p{Zp}\p{Cf}\p{Co}]/u;

/**
 * Returns the commands that a bash script would run, as far as the script shows: all that appear in it, whether it reaches them
 * or not. Anything not known to be harmless is a doubt; nothing is underestimated. Never throws.
 */
export function readScript(source: string): ShellScript {
  const found = emptyScript();
  try {
    readInto(found, source, { depth: 0, dialect: 'bash', elsewhere: false });
  } catch {
    found.doubts.push("the script can't be read");
  }
  if (found.doubts.length > 0) found.changesGit ||= NAMES_GIT.test(source);
  found.changesGit ||= NAMES_TEMPLATE.test(source);
  if (found.commands.length === 0)
    found.commands.push({ words: [], forms: [source.trim()], ...PLAIN_COMMAND });
  return found;
}

/** The position in a script: its nesting depth, which shell reads it, and whether its folder is unknown. */
interface Level {
  depth: number;
  dialect: Dialect;
  elsewhere: boolean;
}

function readInto(found: ShellScript, source: string, level: Level): void {
  if (source.length > MAX_SCRIPT)
    return void found.doubts.push(`the script is longer than ${MAX_SCRIPT} characters`);
  if (level.depth > MAX_DEPTH) return void found.doubts.push('nested scripts');
  if (UNSEEN.test(source)) found.doubts.push('invisible characters');
  visit(found, parse(source), level);
}

function visit(found: ShellScript, node: SyntaxNode, level: Level): void {
  if (found.commands.length > MAX_COMMANDS) throw new Error('too many commands');
  const doubt = doubtOf(node) ?? (level.dialect === 'posix' ? posixDoubt(node) : undefined);
  if (doubt !== undefined) found.doubts.push(doubt);
  if (node.type === 'Command') readCommand(found, node, level);
  if (node.type === 'Redirect') readRedirect(found, node, level);
  forEachChild(node, (child) => visit(found, child, level));
}

/** Node types that are harmless by themselves; their parts are checked one by one. */
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
  ...['HereDocDelimiter', 'HereDocBody', 'FileDescriptor', 'Literal', 'Glob', 'SingleQuoted', 'DoubleQuoted'],
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
  Script: (node) => 'errors' in node && node.errors !== undefined && "the script isn't valid bash",
  CommandExpansion: withoutScript,
  ProcessSubstitution: withoutScript,
  Assignment: ({ name, index }) => (index === undefined ? variableDoubt(name) : 'an array element'),
  ArrayValue: ({ elements }) =>
    elements.some(mayHaveSubscript) && 'an array element, whose subscript is run as code',
  For: ({ name }) => variableDoubt(name.value),
  ParameterExpansion: ({ prefix, index, operation, text }) =>
    ((prefix === '!' || index !== undefined || operation?.operator.includes('=')) &&
      'a variable that names or sets another variable') ||
    // Within "$(…)" bash 5.2 removes the quotes and runs what was in them.
    (text.includes("$'") && "a quote $'…' inside a variable"),
  ArithmeticWord: ({ value }) =>
    !/^\d+$/.test(value) && 'arithmetic with variables, whose values are run as code',
  TestUnary: ({ operator }) => /^-[vR]$/.test(operator) && 'a test of a variable by name',
  TestBinary: ({ operator }) =>
    /^-(eq|ne|lt|le|gt|ge)$/.test(operator) && 'a numeric test, whose operands are run as code',
};

function doubtOf(node: SyntaxNode): string | undefined {
  const look = DOUBTS[node.type] as ((node: SyntaxNode) => string | false | undefined) | undefined;
  if (look !== undefined) return look(node) || undefined;
  return PLAIN.has(node.type) ? undefined : `${node.type}, which isn't supported`;
}

/** Matches `[x]=1`, or what may become it. Bash never reads a quoted word as a subscript. */
function mayHaveSubscript(element: Word): boolean {
  return !/^\$?["'\\]/.test(element.text) && /^[[\0]/.test(wordText(element));
}

/** Syntax that other shells read differently from bash. */
const BASH_ONLY = new Set([
  'AnsiCQuoted',
  'Time', // elsewhere a program, whose options come before the command that it starts
  'TestCommand',
  'ArrayValue',
  'ProcessSubstitution',
  'HereString',
  'ArithmeticCommand',
  'ArithmeticFor',
  'Replace',
  'CaseModification',
]);

function posixDoubt(node: SyntaxNode): string | undefined {
  const isOther =
    BASH_ONLY.has(node.type) ||
    (node.type === 'HereDocDelimiter' && /[$`]/.test(node.text)) ||
    // Elsewhere `ls &>x canary` is two commands: `ls &` and `canary` with its output in x.
    (node.type === 'Redirect' && node.operator.startsWith('&>'));
  return isOther ? `${node.type}, which differs between shells` : undefined;
}

function withoutScript({ script }: { script?: unknown }): string | false {
  return script === undefined && 'a substitution without a script';
}

/** Variables, by a part of their name, that say which programs start or what else they do. */
const STEERING = new RegExp(
  `^(${[
    'PATH|IFS|ENV|HOME|CDPATH|TMPDIR|FPATH|SHELL.*|PS\\d|FUNCNEST|GLOBIGNORE|POSIXLY_CORRECT|MAILPATH|HIST.*|BASH.*|INPUTRC',
    // Bash evaluates values of these as arithmetic, and that as code.
    'RANDOM|SRANDOM|SECONDS|LINENO|OPTIND|EPOCH.*|DIRSTACK|GROUPS|PIPESTATUS|FUNCNAME|COMP_.*',
    'LD_.*|DYLD_.*|GIT_.*|XDG_.*|SSH_.*|GCONV_PATH|GETCONF_DIR|LESS.*|MAN.*|VIM.*|EXINIT|MAKE.*|LOCPATH|NLSPATH',
    'PYTHON.*|PIP_.*|UV_.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|NODE_.*|NPM_.*|npm_.*|DENO_.*|BUN_.*|PHP.*|COMPOSER_.*|LUA_.*',
    'JAVA_.*|_JAVA.*|JDK_.*|CLASSPATH|GRADLE_.*|GO[A-Z].*|CARGO_.*|RUST.*|CMAKE_.*|DOTNET_.*|CORECLR_.*|R_.*|JULIA_.*',
    'DOCKER_.*|KUBE.*|HELM_.*|TF_.*|ANSIBLE_.*|AWS_.*|OPENSSL_.*|GNUPGHOME|CURL_.*|RSH|.*_RSH|SVN_.*|PATCH_GET',
    // System scripts start the program that one of these names: zgrep, zdiff, xzcmp.
    '[EF]?GREP|RG|S?DIFF3?|Z?CMP|SED|[GMN]?AWK|G?ZIP|GUNZIP|XZ|UNXZ|BZIP2|ZSTD|LZMA|LZ4|CAT|SORT|TAR|MKTEMP|TEST',
    'AR|AS|LD|NM|FC|CPP|LEX|YACC|M4|INSTALL|OBJCOPY|STRIP|RANLIB|CMD|.*_(CMD|BIN|EXE|PROG)|.*PROGRAM',
    'TAR_.*|ZIP|ZIPOPT|UNZIP|RIPGREP_.*|RSYNC_.*|MAGICK_.*|CC|CXX|.*MODULE.*|.*PLUGIN.*',
    '.*(PAGER|EDITOR|VISUAL|BROWSER|COMMAND|ASKPASS|OPTIONS|OPTS|FLAGS|PRELOAD|STARTUP|CONFIG|RC|PROXY|proxy)',
  ].join('|')})$`,
);

function isTrusted(variable: string): boolean {
  return /^[A-Za-z_]\w*$/.test(variable) && !STEERING.test(variable);
}

function variableDoubt(name: string): string | undefined {
  return isTrusted(name) ? undefined : `the variable ${name}`;
}

/** A variable and a setting that make `git init` and `git clone` use hooks from any folder. */
const NAMES_TEMPLATE = /\bGIT_TEMPLATE_DIR\b|\binit\.templatedir\b/i;
/** For a script that couldn't be parsed, and for code in another language. */
const NAMES_GIT = /(?<![\w-])\.git(?![\w-])/i;
const READING = wordSet('ls cat head tail grep wc stat test [ echo printf find rg du tree file diff');

/** Hooks and settings there say what git runs. A path that is excluded by name isn't touched. */
function changesGit(name = '', args: string[]): boolean {
  return pathsWritten(name, args).some(leadsToGit);
}

function pathsWritten(name: string, args: string[]): string[] {
  if (name === 'git') return pathsGitWrites(args);
  if (READING.has(name)) return writtenByReader(name, args);
  if (name === 'sed') return [...args, ...args.flatMap((text) => text.match(SED_FILE) ?? [])];
  return args.filter((text) => !text.startsWith('--exclude'));
}

/** After the command or flag `w` of sed. Looks back only where a path may start, not at each of many blanks. */
const SED_FILE = /[^\s\w-](?<=w\s*[^\s\w-])\S*/g;
/** Between an option and its path, between two paths, and around the parts of an expression: `of=x`, `host:x`, `s,^,x,`. */
const AROUND_PATHS = /[=:,|;@#!]/g;
/** No option cluster is longer before the value of its last option. */
const MAX_ATTACHED = 40;

function leadsToGit(text: string): boolean {
  if (isGitPath(text.replace(AROUND_PATHS, '/'))) return true;
  if (!text.startsWith('-')) return false;
  const starts = [...text.slice(0, MAX_ATTACHED).matchAll(/\.|git~/gi)];
  return starts.some(({ index }) => isGitPath(text.slice(index)));
}

/** Options of commands that otherwise only read, before the file that they write. */
const OUTPUT = /^-(fprint0?|fprintf|fls)$/;
/** Options with which find changes the files that it finds. */
const CHANGES_FOUND = /^-(delete|exec|execdir|ok|okdir)$/;

function writtenByReader(name: string, args: string[]): string[] {
  if (name === 'tree') return args.some((text) => /^-[^-]*o|^--o/.test(text)) ? args : [];
  if (name !== 'find') return [];
  const written = args.filter((_, at) => OUTPUT.test(args[at - 1] ?? ''));
  if (!args.some((text) => CHANGES_FOUND.test(text))) return written;
  const leavesOut = args.some((text) => /^(!|-not|-prune)$/.test(text));
  const wanted = leavesOut ? [] : args.filter((text) => NAMES_GIT.test(text)).map(() => '.git');
  return [...written, ...startsOf(args), ...wanted];
}

/** Returns where find starts: the words before its conditions, without options that take no value here. */
function startsOf(args: string[]): string[] {
  const from = args.findIndex((text) => !/^-[HLP]$/.test(text));
  const starts = args.slice(Math.max(from, 0));
  const end = starts.findIndex((text) => /^[-(!]/.test(text));
  return end < 0 ? starts : starts.slice(0, end);
}

function readRedirect(
  found: ShellScript,
  { operator, target, descriptor }: Redirection & { type: 'Redirect' },
  { elsewhere }: Level,
): void {
  if (descriptor?.type === 'FileDescriptorVariable') found.doubts.push('a redirection that sets a variable');
  const text = target === undefined ? HOLE : wordText(target);
  if (operator === '>&' || operator === '<&') {
    if (/^(\d+-?|-)$/.test(text)) return;
    // Bash expands this target twice: a quoted $(…), or one in a file name, runs.
    found.doubts.push(`${operator} with a target other than a number or -`);
  }
  if (operator === '<' || operator === '<&') return;
  if (isGitPath(text)) found.changesGit = true;
  if (!/^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/.test(text)) found.writes.push(elsewhere ? HOLE : text);
}

/** A command that only sets variables does nothing by itself. */
function readCommand(found: ShellScript, { name, args, redirects }: Command, level: Level): void {
  if (name === undefined && redirects.length === 0) return;
  if (name === undefined) return void found.commands.push({ words: ['>'], forms: ['>'], ...PLAIN_COMMAND });
  const [plain, chosen] = [args.map(argumentText), args.map(gitText)];
  // Another shell reads `export A=$x` as ordinary words.
  const isWhole =
    level.dialect === 'bash' &&
    args.every((each, at) => each.type === 'Assignment' || isKnown(plain[at] ?? ''));
  for (const [at, each] of args.entries())
    if (each.type === 'Word') noteWritten(found, plain[at] ?? '', each.text);
  readWords(found, [wordText(name), ...plain], level, isWhole);
  if (chosen.some((text, at) => text !== plain[at]))
    found.changesGit ||= choosesGit([wordText(name), ...chosen], level);
}

/** Two words that differ only in what is unknown of them can't be distinguished. */
function noteWritten({ written }: ShellScript, word: string, text: string): void {
  if (!isKnown(word)) written.set(word, (written.get(word) ?? text) === text ? text : '');
}

/** Returns whether one of the alternatives of its braces leads to a git folder. */
function choosesGit(words: string[], level: Level): boolean {
  const found = emptyScript();
  readWords(found, words, level);
  return found.changesGit;
}

/**
 * Reads the words of one command, and of what it passes on. `isWhole`: its assignments are one word each, whatever they
 * contain.
 */
function readWords(
  found: ShellScript,
  [program = '', ...args]: string[],
  level: Level,
  isWhole = args.every(isKnown),
): void {
  if (level.depth > MAX_DEPTH) return void found.doubts.push('nested commands');
  if (!isKnown(program)) return void found.doubts.push('a command name that is computed at run time');
  const written = programName(program);
  const name = written?.toLowerCase(); // as a case-insensitive file system reads it
  const handed = name === undefined ? undefined : handedOn(name, args);
  const isUnclear = name === undefined || handed === 'unclear';
  const clear = handed === 'unclear' ? undefined : handed;
  const wrapper = clear?.transparent === true && written === name;
  const opaque = isUnclear || (!wrapper && isOpaque(name, args, isWhole));
  found.changesGit ||= changesGit(name, args) || (opaque && name !== 'git' && NAMES_GIT.test(args.join(' ')));
  found.commands.push({ ...readForms(program, name, args), opaque, wrapper, elsewhere: level.elsewhere });
  const variables = [...variablesSet(name, args), ...(clear?.variables ?? [])];
  found.doubts.push(...variables.flatMap((variable) => variableDoubt(variable) ?? []));
  if (clear !== undefined) readHanded(found, clear, level);
}

function readForms(program: string, name: string | undefined, args: string[]) {
  return { words: [name ?? program, ...args], forms: formsOf(program, name, args) };
}

function readHanded(found: ShellScript, handed: Handed, level: Level): void {
  const elsewhere = level.elsewhere || handed.elsewhere === true;
  const inner: Level = { ...level, depth: level.depth + 1, elsewhere };
  for (const words of handed.commands) readWords(found, words, inner);
  inner.dialect = handed.dialect ?? level.dialect;
  for (const script of handed.scripts) readInto(found, script, inner);
}

/**
 * Returns a program as written, by its bare name, and as a case-insensitive file system reads it; git also without its options.
 */
function formsOf(program: string, name: string | undefined, args: string[]): string[] {
  const named = [programName(program) ?? program, name ?? program].map((first) =>
    joinWords([first, ...args]),
  );
  const command = name === 'git' ? gitCommand(args) : undefined;
  const git = command === undefined ? [] : [joinWords(['git', ...command])];
  return [...new Set([...named, ...git])];
}
