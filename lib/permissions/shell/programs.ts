import { ownValue } from '../../text/own-value.ts';
import { isKnown } from '../template.ts';
import { isOpaqueGit } from './git-commands.ts';
import { wordSet } from './word-set.ts';

/** The sandbox's program folders; a path in them is another way to write a program's name. */
const SYSTEM_PROGRAM = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/;
const PROGRAM_NAME = /^[A-Za-z0-9_.+[:-]+$/;

/** Returns the name of a program, however it's written; undefined if it's in another folder or has an unusual name. */
export function programName(text: string): string | undefined {
  const name = SYSTEM_PROGRAM.exec(text)?.[1] ?? text;
  return PROGRAM_NAME.test(name) && name !== '.' && name !== '..' ? name : undefined;
}

/** Programs that change nothing and start nothing, whatever their arguments. Exceptions are listed below. */
const READERS = wordSet(`
  : [ base64 basename cat cksum cmp column comm command cut date df diff dirname du echo egrep env exit expand expr false fgrep find fold grep
  head hexdump id join jq ls md5sum nl nproc od paste printenv printf ps pwd readlink realpath rev rg seq sha1sum sha256sum sleep
  sort stat strings tac tail test tr tree true type uname wc which whoami zcat
`);
/**
 * Programs whose words show what they change. Any other program may do anything, such as start a program that an
 * argument names.
 */
const CHANGERS = wordSet(`
  awk cd chmod chown cp curl file git gunzip gzip kill ln mkdir mktemp mv rm rmdir sed set split tee touch truncate uniq unlink
  unzip xxd
`);

/** Arguments with which one of these programs starts another program or runs code. Long options can be shortened. */
const STARTING: Record<string, RegExp | undefined> = {
  awk: /[|@>]|system|getline|^-(?!F)/,
  curl: /^-[^-]*K|^--(conf|en)|pkcs11:|engine/,
  rg: /^--pre|^--hostname-bin/,
  set: /^(?!-[eux]*o?$|pipefail$)/,
  sort: /^--co/,
  split: /^--f/,
  test: /^-[vR]$/,
  '[': /^-[vR]$/,
};
/** Arguments with which a reader changes files. */
const CHANGING: Record<string, RegExp | undefined> = {
  base64: /^-[^-]*o|^--o/,
  date: /^-[^-]*s|^--s/,
  find: /^-(delete|fprint0?|fprintf|fls)$/,
  sort: /^-[^-]*[oT]|^--(o|t)/,
  tree: /^-[^-]*[oR]|^--o/, // -R writes a page into each folder
};

/** Returns whether a program may do anything, because its command line doesn't show all of it. */
export function isOpaque(name: string, args: string[]): boolean {
  if (!READERS.has(name) && !CHANGERS.has(name)) return true;
  if (name === 'git') return isOpaqueGit(args);
  if (name === 'sed') return !isPlainSed(args);
  if (name === 'printf') return !isPlainPrintf(args);
  const starting = STARTING[name];
  return starting !== undefined && args.some((text) => !isKnown(text) || starting.test(text));
}

/** Returns whether a command that isn't opaque changes no file. */
export function isReading(name: string, args: string[]): boolean {
  const changing = CHANGING[name];
  return (
    READERS.has(name) &&
    !args.some((text) => changing !== undefined && (!isKnown(text) || changing.test(text)))
  );
}

/** Matches directives that print an argument. Others, such as `%n` and the option `-v`, set a variable. */
const PRINTS = /%%|%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d*))?[diouxXeEfgGcsbq]/g;

function isPlainPrintf([first = '', second = '']: string[]): boolean {
  const format = first === '--' ? second : first;
  return isKnown(format) && !format.startsWith('-') && !format.replace(PRINTS, '').includes('%');
}

/** Matches substitutions without the flags `e` and `w`, and scripts that print or delete lines. */
const SED_SCRIPT =
  /^(s([/|#,:@])(?:\\.|(?!\2)[^\\\n])*\2(?:\\.|(?!\2)[^\\\n])*\2[gpiI0-9]*|\d*(,(\d+|\$))?[pdq]|\$[pdq])$/;

function isPlainSed(args: string[]): boolean {
  const [script = ''] = args.filter((text) => !text.startsWith('-'));
  return (
    SED_SCRIPT.test(script) &&
    args.every((text) => isKnown(text) && (!text.startsWith('-') || /^-[nErsi]+$/.test(text)))
  );
}

/** Builtins of bash that run code, or change what later words mean. */
const SHELL_WORDS = wordSet(`
  coproc . source alias bg bind break builtin caller
  compgen complete compopt continue declare dirs disown enable eval exec export fc fg getopts hash help history jobs let local
  logout mapfile popd pushd read readarray readonly return shift shopt suspend times trap typeset ulimit umask unalias unset wait
`);
const SHELLS = wordSet('sh bash dash ash ksh zsh');
const RUNNING = /^-(exec|execdir|ok|okdir)$/;

/**
 * Returns why a command doesn't show what it runs, regardless of any rules about its program; undefined if it
 * shows everything.
 */
export function commandDoubt(name: string, args: string[]): string | undefined {
  if (SHELL_WORDS.has(name)) return `${name}, a word of the shell`;
  const isRunning = (pattern: RegExp) => args.some((text) => !isKnown(text) || pattern.test(text));
  if (SHELLS.has(name) && isRunning(/^[-+]\w*c/)) return `a script for ${name}`;
  const isUnclear = (name === 'find' && isRunning(RUNNING)) || startedAt(name, args) === 'unclear';
  return isUnclear ? `a command that ${name} starts` : undefined;
}

/**
 * Programs that start a command, which follows their own words. In these patterns, a space follows each word.
 */
const OWN_WORDS: Record<string, RegExp> = {
  command: /^$/,
  env: /^$/,
  nice: /^(-n \d+ |-\d+ )?$/,
  nohup: /^$/,
  time: /^(-p )?$/,
  timeout: /^(-[ks] \w+ |--foreground )*[\d.]+[smhd]? $/,
  xargs: /^(-[0rt]+ |-[nPL] ?\d+ |-I ?\{\} )*$/,
};
const MAX_OWN = 8;

/**
 * Returns the index at which the command that a program runs starts; 'unclear' if the index isn't known;
 * undefined if the program runs none.
 */
export function startedAt(name: string, args: string[]): number | 'unclear' | undefined {
  const own = ownValue(OWN_WORDS, name);
  if (own === undefined || args.length === 0 || (name === 'command' && /^-[vV]$/.test(args[0] ?? '')))
    return undefined;
  for (const [at, first] of args.slice(0, MAX_OWN).entries()) {
    const before = args.slice(0, at);
    if (!isKnown(first) || /\s/.test(first)) break;
    if (!/^-/.test(first) && own.test(before.map((word) => `${word} `).join(''))) return at;
  }
  return 'unclear';
}
