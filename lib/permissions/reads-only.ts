import { isReading } from './shell/programs.ts';
import { readScript } from './shell/read-script.ts';

/** Returns whether a shell line certainly changes no file, so nothing needs to be stored for an undo. */
export function readsOnly(source: string): boolean {
  const { commands, writes, doubts } = readScript(source);
  const isHarmless = commands.every(({ words: [name = '', ...args], opaque, wrapper }) => {
    return wrapper || (!opaque && (name === 'cd' || isReading(name, args)));
  });
  return isHarmless && doubts.length === 0 && writes.length === 0;
}
