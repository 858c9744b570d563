import { text } from 'node:stream/consumers';
import { UsageError } from '../infra/command-line.ts';
import type { Context } from './workspace.ts';

/** Reads `FOLDER TEXT`, or only `TEXT` for the current folder; the text `-` comes from standard input. */
export async function readFolderAndText(
  words: string[],
  { workspace }: Context,
  what: string,
): Promise<{ folder: string; text: string }> {
  const [last, folder, ...more] = words.toReversed();
  if (last === undefined) throw new UsageError(`The ${what} is missing.`);
  if (more.length > 0) throw new UsageError(`There are too many arguments. Put the ${what} in quotes.`);
  if (folder !== undefined && workspace !== undefined)
    throw new UsageError('Use a folder or --workspace, not both.');
  const given = last === '-' ? (await text(process.stdin)).trim() : last.trim();
  if (given === '') throw new UsageError(`The ${what} is empty.`);
  return { folder: folder ?? '.', text: given };
}

/** Reads the arguments of `notes` and `sync`, which can only be a folder. */
export function readFolder(words: string[], { workspace }: Context): string {
  const [folder, ...more] = words;
  if (more.length > 0) throw new UsageError(`Unexpected arguments: ${more.join(' ')}`);
  if (folder !== undefined && workspace !== undefined)
    throw new UsageError('Use a folder or --workspace, not both.');
  return folder ?? '.';
}
