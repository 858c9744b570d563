import { onlyReads } from '../api-contract/always-scope.ts';
import type { ShellCommand } from './shell/read-script.ts';
import { wordSet } from './shell/words.ts';
import { isKnown } from './template.ts';

/** They change no file, whatever their arguments, as the programs that only read. */
const HARMLESS = wordSet(
  'cd cksum column comm date df diff echo exit expand false hexdump id nproc od printf pwd seq sleep strings test true type ' +
    'uname which whoami [ :',
);

/** Options with which a program writes files or starts another program. */
const WRITING = new Map([
  ['find', /^-(delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/],
  ['rg', /^--pre/],
  ['sort', /^-[^-]*[oT]|^--(c|f|o|t)/],
]);

/** Whether it is certain that a shell line changes no file: then nothing needs to be kept for an undo. */
export async function readsOnly(source: string): Promise<boolean> {
  const { readScript } = await import('./shell/read-script.ts'); // a large parser, needed for commands only
  const { commands, writes, doubts } = readScript(source);
  return doubts.length === 0 && writes.length === 0 && commands.every(isReader);
}

/** What a wrapper starts is in the list too. */
function isReader({ words: [program = '', ...args], opaque, wrapper }: ShellCommand): boolean {
  if (wrapper || opaque) return wrapper && !opaque;
  const writing = WRITING.get(program);
  if (writing === undefined) return HARMLESS.has(program) || onlyReads(program);
  return args.every((word) => isKnown(word) && !writing.test(word));
}
