import { posix } from 'node:path';
import { type CallEffect, sortEffects } from '../api-contract/call-effects.ts';
import { isReading } from './shell/programs.ts';
import { readScript, type ShellCommand } from './shell/read-script.ts';
import { wordSet } from './shell/word-set.ts';
import { HOLE, isKnown } from './template.ts';

const MAX_EFFECTS = 12;
const MAX_COMMAND = 200;

/**
 * Returns the certain effects of a shell line, if all its commands run: deleted, written, moved, and copied
 * paths, and started programs. Parts that can't be understood are `unknown`; if there are none, the list is
 * complete.
 */
export function effectsOfLine(source: string): CallEffect[] {
  const { commands, writes, doubts } = readScript(source);
  const folder = folderOf(source, commands);
  const real = commands.filter(({ wrapper, words: [program = '>'] }) => !wrapper && program !== '>');
  const loud = real.filter((command) => !isQuiet(command));
  const written = writes.map((path): CallEffect => named('writes', path, folder) ?? UNKNOWN);
  const changes = [
    ...loud.flatMap((command) => effectsOf(command, folder)),
    ...written,
    ...(doubts.length > 0 ? [UNKNOWN] : []),
  ];
  const effects = changes.length > 0 ? changes : real.map(runs);
  return bounded(distinct(effects.length > 0 ? effects : [UNKNOWN]));
}

const UNKNOWN: CallEffect = { kind: 'unknown' };

/** Keeps the most important effects. */
function bounded(effects: CallEffect[]): CallEffect[] {
  if (effects.length <= MAX_EFFECTS) return effects;
  return [...sortEffects(effects).slice(0, MAX_EFFECTS - 1), UNKNOWN];
}

/** Commands that change nothing are shown only if there are no others. find may show many. */
function isQuiet({ words: [program = '', ...args], opaque }: ShellCommand): boolean {
  return !opaque && program !== 'find' && (program === 'cd' || isReading(program, args));
}

function distinct(effects: CallEffect[]): CallEffect[] {
  return [...new Map(effects.map((effect) => [JSON.stringify(effect), effect])).values()];
}

/**
 * Returns the folder of the remaining commands, which only `cd FOLDER && …` sets for certain. Undefined if
 * paths may be relative to another folder.
 */
function folderOf(source: string, commands: ShellCommand[]): string | undefined {
  const moving = commands.filter(({ words: [program = ''] }) => MOVES.has(program));
  if (moving.length === 0) return '.';
  const [, folder] = moving[0]?.words ?? [];
  const isPlain = /^\s*cd [^;|&\n(){}`$<>]+(&&[^;|&\n(){}`$]+)+$/.test(source);
  return moving.length === 1 &&
    isPlain &&
    moving[0]?.words.length === 2 &&
    folder &&
    /^[^-]/.test(folder) &&
    isKnown(folder)
    ? folder
    : undefined;
}

const MOVES = wordSet('cd pushd popd');

function effectsOf(command: ShellCommand, folder: string | undefined): CallEffect[] {
  const [program = '', ...args] = command.words;
  const known = command.opaque ? undefined : EFFECTS.get(program)?.(args, folder);
  return known ?? [runs(command)];
}

/** Returns the words, or their source text where a part isn't known. */
function runs({ words, written }: Pick<ShellCommand, 'words' | 'written'>): CallEffect {
  const text = words.map((word, at) => shownWord(isKnown(word) ? word : (written[at] ?? '…'))).join(' ');
  return { kind: 'runs', command: text.length > MAX_COMMAND ? `${text.slice(0, MAX_COMMAND)}…` : text };
}

function shownWord(word: string): string {
  return word === '' || /\s/.test(word) ? JSON.stringify(word) : word;
}

/** Returns an effect on a path; undefined if the path isn't known. */
function named(kind: CallEffect['kind'], path: string, folder: string | undefined): CallEffect | undefined {
  if (folder === undefined || path === '' || !isKnown(path)) return undefined;
  const place = placeOf(path, folder);
  return place === undefined ? undefined : { kind, path: place };
}

/**
 * Returns the path in the workspace. Undefined if `..` follows a name: if the name is a link, its parent
 * isn't the folder that the text shows.
 */
function placeOf(path: string, folder: string): string | undefined {
  const whole = path.startsWith('/') ? path : `${folder}/${path}`;
  if (/(^|\/)(?!\.{1,2}\/)[^/]+\/+(\.\/+)*\.\.(\/|$)/.test(whole)) return undefined;
  const place = posix.normalize(whole);
  return place.length > 1 ? place.replace(/\/$/, '') : place;
}

type Reader = (args: string[], folder: string | undefined) => CallEffect[] | undefined;

/**
 * Readers of a command's effects. They return undefined for unknown options or words; then only the command
 * is named.
 */
const EFFECTS = new Map<string, Reader>(
  Object.entries<Reader>({
    rm: (args, folder) => deleted(args, folder, /^-[rRfivd]+$|^--(recursive|force|verbose|dir)$/),
    rmdir: (args, folder) => deleted(args, folder, /^-v$|^--verbose$/),
    unlink: (args, folder) => deleted(args, folder, /^$/),
    find: (args) => {
      if (!args.includes('-delete')) return undefined;
      return [{ kind: 'deletesSome' }, runs({ words: ['find', ...args], written: [] })];
    },
    touch: (args, folder) => each('writes', args, folder, /^-[am]+$/),
    tee: (args, folder) => each('writes', args, folder, /^-a$|^--append$/),
    mkdir: (args, folder) => each('makesFolder', args, folder, /^-[pv]+$|^--parents$/),
    mv: (args, folder) => pairs('moves', args, folder, /^-[fv]+$/),
    cp: (args, folder) => pairs('copies', args, folder, /^-[rRafpv]+$/),
  }),
);

/** Returns the operands after known options; undefined if an option isn't known. */
function operandsOf(args: string[], flags: RegExp): string[] | undefined {
  const end = args.indexOf('--');
  const before = end === -1 ? args : args.slice(0, end);
  const options = before.filter((text) => text.startsWith('-'));
  if (!options.every((text) => flags.test(text))) return undefined;
  return args.filter((text, at) => (end !== -1 && at > end) || !text.startsWith('-'));
}

function each(kind: CallEffect['kind'], args: string[], folder: string | undefined, flags: RegExp) {
  const effects = operandsOf(args, flags)?.map((path) => named(kind, path, folder));
  return effects?.every((effect) => effect !== undefined) ? effects : undefined;
}

/**
 * Returns the deleted paths, or `deletesSome` if they aren't known, because a deletion must not stay hidden
 * in a command line.
 */
function deleted(args: string[], folder: string | undefined, flags: RegExp): CallEffect[] {
  const operands = operandsOf(args, flags) ?? [HOLE];
  return operands.map((path) => named('deletes', path, folder) ?? { kind: 'deletesSome' });
}

function pairs(
  kind: 'moves' | 'copies',
  args: string[],
  folder: string | undefined,
  flags: RegExp,
): CallEffect[] | undefined {
  const operands = operandsOf(args, flags);
  const to = operands?.at(-1);
  if (operands === undefined || to === undefined || operands.length < 2) return undefined;
  const target = named(kind, to, folder)?.path;
  const sources = operands.slice(0, -1);
  const paths = sources.map((path) => named(kind, path, folder)?.path);
  if (target === undefined || paths.includes(undefined)) return undefined;
  const copied = paths.map((path): CallEffect => ({ kind, path, to: target }));
  // If so, the contents of a folder are merged into the target.
  const merges = sources.some((path) => /(^|\/)\.\.?\/*$/.test(path));
  return merges ? [...copied, UNKNOWN] : copied;
}
