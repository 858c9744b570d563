import { HOLE, isKnown } from '../template.ts';

/** A command's own command: another command line, or a script, with names for the parts that weren't understood. */
export interface Handed {
  /** Words, the program first. */
  commands: string[][];
  scripts: string[];
  /** Variables that are set for it. */
  variables: string[];
  /** It does nothing itself. */
  transparent: boolean;
  /** They run in folders that the line doesn't name. */
  elsewhere?: boolean;
  /** The shell that reads the scripts; undefined: the shell that reads the line. */
  dialect?: Dialect;
}

/** `posix`: bash syntax (`[[`, `$'…'`) means something else there, and may end a quote or a command. */
export type Dialect = 'bash' | 'posix';

/** Undefined for a shell with builtins of its own: its scripts are read, but may do more. */
const SHELLS = new Map<string, Dialect | undefined>([
  ['bash', 'bash'],
  ['sh', 'posix'],
  ['dash', 'posix'],
  ['ash', 'posix'],
  ['ksh', undefined],
  ['zsh', undefined],
]);

/** Returns undefined for a program that passes nothing on; 'unclear' for one that does so in a way that isn't understood. */
export function handedOn(name: string, args: string[]): Handed | 'unclear' | undefined {
  if (SHELLS.has(name)) return shellScript(SHELLS.get(name), args);
  return HANDING[name]?.(args);
}

const HANDING: Record<string, (args: string[]) => Handed | 'unclear' | undefined> = {
  command: (args) => (/^-[vV]+$/.test(args[0] ?? '') ? undefined : afterOptions(args, /^-p$/)),
  builtin: (args) => afterOptions(args, /^$/),
  exec: afterExec,
  nohup: (args) => afterOptions(args, /^$/),
  setsid: (args) => afterOptions(args, /^-[cfw]+$/),
  nice: (args) => afterOptions(args, /^(-n?-?\d+|--adjustment=-?\d+)$/, /^-n$/),
  stdbuf: (args) => afterOptions(args, /^-[ioe](L|\d+)$/, /^-[ioe]$/),
  time: (args) => afterOptions(args, /^-[pv]+$/),
  timeout: (args) =>
    afterOptions(
      args,
      /^(--preserve-status|--foreground|-v|-[ks][^-]+|--(signal|kill-after)=.+)$/,
      /^-[ks]$/,
      1,
    ),
  env: afterEnv,
  sudo: opaqueHand,
  doas: opaqueHand,
  xargs: afterXargs,
  find: execsOfFind,
  eval: evalScript,
  trap: trapScript,
};

function command(words: string[], fields: Partial<Handed> = {}): Handed {
  const commands = words.length === 0 ? [] : [words];
  return { commands, scripts: [], variables: [], transparent: words.length > 0, ...fields };
}

function script(text: string): Handed {
  return { commands: [], scripts: [text], variables: [], transparent: true };
}

/** Returns the command after known options, some with a separate value, and after so many operands. */
function afterOptions(args: string[], flag: RegExp, valued = /^$/, operands = 0): Handed | 'unclear' {
  let at = 0;
  while (args[at]?.startsWith('-')) {
    const option = args[at] ?? '';
    if (option === '--') {
      at += 1;
      break;
    }
    if (valued.test(option)) at += 2;
    else if (flag.test(option)) at += 1;
    else return 'unclear';
  }
  if (!args.slice(0, at + operands).every(isKnown) || args[at]?.startsWith(HOLE)) return 'unclear';
  return command(args.slice(at + operands));
}

/** Rights of root aren't on the line, so the outer command counts too. */
function opaqueHand(args: string[]): Handed | 'unclear' {
  const handed = afterOptions(args, /^-[nEHS]+$/, /^-[ug]$/);
  return handed === 'unclear' ? handed : { ...handed, transparent: false };
}

/** Without its environment, git runs what the settings of any folder name, as if that variable were set. */
const CLEARED = 'GIT_CONFIG_COUNT';

function afterExec(args: string[]): Handed | 'unclear' {
  const handed = afterOptions(args, /^-[cl]+$/, /^-a$/);
  const clears = args.some((text) => /^-l*c/.test(text));
  return handed === 'unclear' || !clears ? handed : { ...handed, variables: [CLEARED] };
}

function afterEnv(args: string[]): Handed | 'unclear' {
  const handed = afterOptions(args, /^(-i|-0|--ignore-environment|--null|--unset=.+)$/, /^(-u|--unset)$/);
  if (handed === 'unclear') return handed;
  const [words = []] = handed.commands;
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const variables = words.slice(0, first === -1 ? undefined : first);
  // An unquoted variable may be several words, of which the second is the command.
  if (!variables.every(isKnown) || (first !== -1 && words[first]?.startsWith(HOLE))) return 'unclear';
  const names = variables.map((word) => word.slice(0, word.indexOf('=')));
  const options = args.slice(0, args.length - words.length);
  if (options.some((text) => /^-(i|u|-ignore|-unset)/.test(text))) names.push(CLEARED);
  return command(first === -1 ? [] : words.slice(first), { variables: names });
}

/**
 * The input of xargs follows the words, or replaces a named word: then any of them may be anything, and more may follow,
 * because the last of several options counts.
 */
function afterXargs(args: string[]): Handed | 'unclear' | undefined {
  const replacing = args.some((text) => /^(-[^-]*[Ii]|--replace)/.test(text));
  const handed = afterOptions(
    args,
    /^(-[0rtx]+|-[nPLsdI].+|-i|--null|--no-run-if-empty|--delimiter=.+)$/,
    /^-[nPLsdI]$/,
  );
  if (handed === 'unclear') return handed;
  const [words = []] = handed.commands;
  const [program = '', ...rest] = words;
  if (program === '') return undefined;
  if (replacing)
    return /[{}%@]/.test(program) ? 'unclear' : command([program, ...rest.map(() => HOLE), HOLE]);
  return command([...words, HOLE]);
}

function execsOfFind(args: string[]): Handed | 'unclear' | undefined {
  const commands: string[][] = [];
  const elsewhere = args.some((text) => /^-(execdir|okdir)$/.test(text));
  for (const [index, text] of args.entries()) {
    if (!isKnown(text)) return 'unclear';
    if (!/^-(exec|execdir|ok|okdir)$/.test(text)) continue;
    const rest = args.slice(index + 1);
    const end = rest.findIndex((word, place) => word === ';' || (word === '+' && rest[place - 1] === '{}'));
    const words = rest.slice(0, end === -1 ? undefined : end);
    if (end === -1 || words[0] === undefined || words[0].includes('{}')) return 'unclear';
    commands.push(words.map((word) => word.replaceAll('{}', HOLE)));
  }
  if (commands.length === 0) return undefined;
  return { commands, scripts: [], variables: [], transparent: false, elsewhere };
}

/** Accepts `sh -c SCRIPT` only: a script in a file, or on its input, isn't on the line. */
function shellScript(dialect: Dialect | undefined, [option = '', ...words]: string[]): Handed | 'unclear' {
  const [text, ...operands] = words[0] === '--' ? words.slice(1) : words;
  if (!/^-[eux]*c$/.test(option) || text === undefined || !isKnown(text)) return 'unclear';
  // Options may follow -c: the script is the first word that isn't one.
  if (/^[-+]/.test(text) || operands.some((word) => word.startsWith('-'))) return 'unclear';
  return { ...script(text), dialect, transparent: dialect !== undefined };
}

function evalScript(args: string[]): Handed | 'unclear' {
  const words = args[0] === '--' ? args.slice(1) : args;
  return words.every(isKnown) && !words[0]?.startsWith('-') ? script(words.join(' ')) : 'unclear';
}

function trapScript(args: string[]): Handed | 'unclear' | undefined {
  const [text] = args[0] === '--' ? args.slice(1) : args;
  if (text === undefined || text === '' || text === '-' || /^-[lp]$/.test(text)) return undefined;
  return isKnown(text) && !text.startsWith('-') ? script(text) : 'unclear';
}
