import { isGitPath } from '../git-folder.ts';
import { HOLE, isKnown } from '../template.ts';
import { gitCommand } from './git-commands.ts';
import { changesGit, mayNameGit } from './git-writes.ts';
import { commandDoubt, isOpaque, isReading, programName, startedAt } from './programs.ts';
import { type ShellWord, splitScript } from './split-script.ts';

/** A command of a script, as the rules judge it. */
export interface ShellCommand {
  /** The name of the program and its arguments, as the program receives them, with unknown parts. */
  words: string[];
  /** The same words as written in the script. */
  written: string[];
  /** The command's words joined by spaces, in every form that a rule may use. */
  forms: string[];
  opaque: boolean;
  /** True if the command only starts another command, which is also in the list. */
  wrapper: boolean;
}

export interface ShellScript {
  commands: ShellCommand[];
  /** Files that the shell itself writes, by `>` and similar redirections. May have unknown parts. */
  writes: string[];
  /** True if the script may change the contents of a git folder. */
  changesGit: boolean;
  /** Descriptions of the parts that weren't understood. Because of them, the script may do anything. */
  doubts: string[];
  /**
   * The texts of commands that may run in parts that weren't understood. Rules that deny one of them apply.
   */
  hidden: string[];
}

const MAX_SCRIPT = 5_000;
const MAX_COMMANDS = 200;
const MAX_DEPTH = 5;
/**
 * Characters that people don't see or mistake for others, whereas the shell treats each as part of a word.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0]|(?! )[\p{Zs}\p{Zl}\p{Zp}\p{Cf}\p{Co}]/u;
const STANDARD_FILE = /^\/dev\/(null|stdout|stderr|tty)$/;

/**
 * Returns all commands in a bash script of plain commands, even those that bash doesn't reach. Anything that
 * isn't a plain command is a doubt. Never throws.
 */
export function readScript(source: string): ShellScript {
  const found: ShellScript = { commands: [], writes: [], changesGit: false, doubts: [], hidden: [] };
  const isLong = source.length > MAX_SCRIPT;
  if (isLong) found.doubts.push(`the script is longer than ${MAX_SCRIPT} characters`);
  if (UNSEEN.test(source)) found.doubts.push('invisible characters');
  const { commands, writes, opens, doubt } = splitScript(isLong ? '' : source);
  if (doubt !== undefined) found.doubts.push(doubt);
  if (commands.length > MAX_COMMANDS) found.doubts.push('too many commands');
  for (const words of commands.slice(0, MAX_COMMANDS)) readCommand(found, words);
  found.writes = writes.map(({ text }) => text);
  if (changedWords(found).some((text) => mayBeOpen(text, opens))) found.doubts.push('a file that is open');
  found.writes = found.writes.filter((text) => !STANDARD_FILE.test(text));
  found.changesGit ||= found.writes.some(isGitPath) || (isUnsure(found) && mayNameGit(source));
  if (found.doubts.length > 0) found.hidden.push(...commandsWithin(source));
  if (found.hidden.length > MAX_COMMANDS) found.doubts.push('too many commands');
  found.hidden = [...new Set(found.hidden)].slice(0, MAX_COMMANDS);
  if (found.commands.length === 0)
    found.commands.push({ words: [], written: [], forms: [source.trim()], opaque: false, wrapper: false });
  return found;
}

/** Returns the words that may be files changed by the script. */
function changedWords({ commands, writes }: ShellScript): string[] {
  const changing = commands.filter(({ words: [name = '', ...args], wrapper }) => {
    return !wrapper && !isReading(name, args);
  });
  return [...writes, ...changing.flatMap(({ words }) => words.slice(1))];
}

/** Matches paths that aren't below the working directory, unless that is the root. */
const OUTSIDE = /^\W|\.\.|^(proc\/|dev\/+(fd|std))/;

/**
 * Returns whether a path may lead to another process's open file. Such a file could be written although it
 * was opened for reading. It may be in /proc, or in /dev if the script itself opens a file.
 */
function mayBeOpen(text: string, opens: boolean): boolean {
  if (/^\/+[^/]*\0/.test(text) || (opens && !isKnown(text))) return true;
  const places = opens ? /(^|\/)(proc|dev)(\/|$)/ : /(^|\/)proc(\/|$)/;
  return OUTSIDE.test(text) && places.test(text) && !/^\/dev\/(null|tty)$/.test(text);
}

/** Returns whether a part may change files that its words don't name. Git has its own rules. */
function isUnsure({ doubts, commands, writes }: ShellScript): boolean {
  const isHidden = commands.some(({ words: [name = '', ...args], written, opaque, wrapper }) => {
    const isOpen = opaque || written.some((raw) => /[$…]/.test(raw));
    return isOpen && !wrapper && name !== 'git' && !isReading(name, args);
  });
  return isHidden || doubts.length > 0 || !writes.every(isKnown);
}

/** Keywords before a command. All except `!` belong to conditions and loops. */
const KEYWORD = /^(!|if|then|elif|else|while|until|do)$/;
/** Other parts of conditions and loops. */
const SYNTAX = /^(fi|done|for|case|esac|in|select|function)$/;
/** A variable assignment before the name of a program. */
const ASSIGNMENT = /^[A-Za-z_]\w*(\[.*)?\+?=/s;

function readCommand(found: ShellScript, all: ShellWord[], depth = 0): void {
  const at = all.findIndex(({ text }) => !KEYWORD.test(text));
  const [words, keywords] = at < 0 ? [[], all] : [all.slice(at), all.slice(0, at)];
  const [first = ONLY_FILES] = words;
  const isSyntax = SYNTAX.test(first.text);
  if (isSyntax || keywords.some(({ text }) => text !== '!')) found.doubts.push('a condition or a loop');
  if (isSyntax) return;
  if (ASSIGNMENT.test(first.raw)) return void found.doubts.push('a variable that is set');
  if (!isKnown(first.text)) return void found.doubts.push('a command name that is computed at run time');
  if (words.filter(({ mayVanish }) => mayVanish).length > 1)
    return void found.doubts.push('several variables without quotes');
  addCommand(found, words.length === 0 ? [ONLY_FILES] : words, depth);
}

const ONLY_FILES: ShellWord = { text: '>', raw: '>', mayVanish: false };

function addCommand(found: ShellScript, words: ShellWord[], depth = 0): void {
  const [program = '', ...args] = words.map(({ text }) => text);
  const written = programName(program);
  const name = written?.toLowerCase() ?? program; // as on a case-insensitive file system
  const doubt = commandDoubt(name, args);
  if (doubt !== undefined && !found.doubts.includes(doubt)) found.doubts.push(doubt);
  const started = written === name ? startedAt(name, args) : undefined;
  const wrapper = typeof started === 'number';
  const opaque = !wrapper && words[0] !== ONLY_FILES && (written !== name || isOpaque(name, args));
  const texts = { words: [written ?? program, ...args], written: words.map(({ raw }) => raw) };
  found.commands.push({ ...texts, forms: formsOf(words), opaque, wrapper });
  found.changesGit ||= changesGit(name, args);
  if (opaque) found.hidden.push(...commandsAmong(args));
  if (!wrapper) return;
  if (depth < MAX_DEPTH) readCommand(found, wordsStarted(name, words.slice(started + 1)), depth + 1);
  else found.doubts.push('nested commands');
}

const ANY_WORDS: ShellWord = { text: HOLE, raw: '…', mayVanish: true };

/**
 * Returns the words of the command that is started. The input of xargs follows the words, or replaces the
 * braces in one.
 */
function wordsStarted(name: string, words: ShellWord[]): ShellWord[] {
  if (name !== 'xargs') return words;
  return [...words.map((word) => ({ ...word, text: word.text.replaceAll('{}', HOLE) })), ANY_WORDS];
}

/**
 * Returns the forms of a command: with its program as written, by its bare name, and as on a case-insensitive
 * file system; with and without optional words; for git, also without its options.
 */
function formsOf(words: ShellWord[]): string[] {
  const all = words.map(({ text }) => text);
  const sure = words.filter(({ mayVanish }) => !mayVanish).map(({ text }) => text);
  return [...new Set([...spellings(all), ...spellings(sure)])];
}

function spellings([program = '', ...args]: string[]): string[] {
  const written = programName(program) ?? program;
  const name = written.toLowerCase();
  const command = name === 'git' ? gitCommand(args) : undefined;
  const git = command === undefined ? [] : [['git', ...command]];
  return [[written, ...args], [name, ...args], ...git].map((words) => words.join(' '));
}

/** Returns the commands that a text may contain, although the text wasn't understood. */
function commandsWithin(source: string): string[] {
  const plain = source.slice(0, MAX_SCRIPT).replace(/\\\n|['"\\]/g, '');
  const parts = plain.split(/[\n;|&()`{}<>]+/).map((part) => part.split(/[\s=,$]+/));
  return parts.flatMap(commandsAmong);
}

/** Returns the commands among a program's words that it may start. */
function commandsAmong(words: string[]): string[] {
  const some = words.slice(0, MAX_COMMANDS);
  return some.flatMap((word, at) => (programName(word) === undefined ? [] : spellings(some.slice(at))));
}
