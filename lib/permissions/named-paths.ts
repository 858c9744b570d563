import { posix } from 'node:path';
import { isSteady, type JudgedCall, WRITE_TOOLS } from './judge.ts';
import { readScript, type ShellCommand } from './shell/read-script.ts';
import { isKnown, programOf } from './template.ts';

/** A path that a call names, as written in the call. */
export interface NamedPath {
  path: string;
  /** True if the call changes or runs the file. For a call that only reads it, only the location matters. */
  changes: boolean;
}

const MAX_PATHS = 200;
const MAX_WORD = 300;
const MAX_FOLDERS = 6;
/** Matches characters that end a word of a script, including the marks of unknown parts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks are control characters
const BETWEEN_WORDS = /[\s\u0000"'`;|&<>(){}=@]+/;
const QUOTED = /"([^"\n]+)"|'([^'\n]+)'/g;

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const PACKAGE = ['package.json'];
/** Files that a program runs without being named in the command line. */
const IMPLIED = new Map([
  ['make', MAKEFILES],
  ['gmake', MAKEFILES],
  ['npm', PACKAGE],
  ['npx', PACKAGE],
  ['pnpm', PACKAGE],
  ['yarn', PACKAGE],
  ['bun', PACKAGE],
  ['just', ['justfile', 'Justfile', '.justfile']],
]);

/**
 * Returns the paths that a call names, relative to its working directory. For a tool with a path, that is the
 * path; for a shell command, its working directory and every word that may be a path (at most 200). Empty for
 * calls without files.
 */
export async function namedPaths({ tools, argument }: JudgedCall): Promise<NamedPath[]> {
  const { kind, text } = argument;
  if (kind === 'text') return [];
  if (kind === 'shell') return pathsInLine(text);
  return [{ path: text, changes: WRITE_TOOLS.some((tool) => tools.includes(tool)) }];
}

async function pathsInLine(source: string): Promise<NamedPath[]> {
  const { commands, writes, doubts, hidden } = readScript(source);
  const lines = commands.map(lineOf);
  // The rest of the line can use the output of a reading command: `cat x | sh` runs x, `rm $(cat x)` removes
  // the paths in x.
  const onlyReads = commands.every(keepsPlaces) && writes.length === 0 && doubts.length === 0;
  const read = new Set(onlyReads ? lines.flatMap(wordsOf) : []);
  const implied = lines.flatMap((line) => IMPLIED.get(programOf(line)) ?? []);
  const quoted = [...source.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? '');
  // After `<`, or in a nested script.
  const unseen = [...quoted, ...wordsOf(source)].filter((word) => !read.has(word));
  const changing = commands
    .filter((command) => !keepsPlaces(command))
    .map(lineOf)
    .flatMap(wordsOf);
  const changed = new Set(
    [...changing, ...writes, ...implied, ...unseen].map(withoutOption).filter(mayBePath),
  );
  const words = [...changed, ...[...read].filter(mayBePath)];
  const paths = foldersOf([...lines, ...hidden]).flatMap((folder) =>
    words.map((word) => ({ path: inFolder(folder, word), changes: changed.has(word) })),
  );
  return [{ path: '.', changes: true }, ...distinctPaths(paths).slice(0, MAX_PATHS)];
}

/** Returns FILE for `-fFILE`. */
function withoutOption(word: string): string {
  return /^-[A-Za-z]./.test(word) ? word.slice(2) : word;
}

function lineOf({ forms: [line = ''] }: ShellCommand): string {
  return line;
}

function keepsPlaces(command: ShellCommand): boolean {
  return isSteady(command) || command.words[0] === 'cd';
}

function wordsOf(line: string): string[] {
  return line.split(BETWEEN_WORDS);
}

function mayBePath(word: string): boolean {
  return word !== '' && word !== '.' && word.length <= MAX_WORD && !word.startsWith('-') && isKnown(word);
}

/** Returns the folders to which words may be relative: the working directory, and the targets of `cd`. */
function foldersOf(lines: string[]): string[] {
  const steps = lines.flatMap((line) => stepsOf(line).filter(mayBePath));
  const after = steps.map((_, at) => posix.join(...steps.slice(0, at + 1)));
  return ['.', ...new Set([...steps.slice(0, MAX_FOLDERS / 2), ...after.slice(0, MAX_FOLDERS / 2)])];
}

/** Options before a folder that a program changes to: `make -C sub`, `npm --prefix sub`, `env --chdir=sub`. */
const GOES_TO = /(?:^| )(?:-C ?|--(?:directory|prefix|chdir|cwd|dir)[ =])([^ ]+)/g;

function stepsOf(line: string): string[] {
  const [program = '', ...words] = line.split(' ');
  if (program === 'cd' || program === 'pushd') return words.filter((word) => !/^-/.test(word)).slice(0, 1);
  return [...line.matchAll(GOES_TO)].map(([, folder = '']) => folder);
}

function inFolder(folder: string, word: string): string {
  return posix.normalize(word.startsWith('/') ? word : `${folder}/${word}`);
}

/** Returns each path once, changed paths first. */
function distinctPaths(paths: NamedPath[]): NamedPath[] {
  const changed = new Set(paths.filter(({ changes }) => changes).map(({ path }) => path));
  const all = new Set([...changed, ...paths.map(({ path }) => path)]);
  return [...all].map((path) => ({ path, changes: changed.has(path) }));
}
