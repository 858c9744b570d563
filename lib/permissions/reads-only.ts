import type { ShellCommand } from './shell/read-script.ts';
import { wordSet } from './shell/words.ts';
import { isKnown } from './template.ts';

/** They change no file, whatever their arguments. */
const READERS = wordSet(
  'basename cat cd cksum cmp column comm cut date df diff dirname du echo exit expand false fold grep head hexdump id jq ls ' +
    'md5sum nl nproc od printf pwd readlink realpath rev seq sha1sum sha256sum sleep stat strings tac tail test tr true ' +
    'type uname wc which whoami [ :',
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
  if (writing === undefined) return READERS.has(program);
  return args.every((word) => isKnown(word) && !writing.test(word));
}
