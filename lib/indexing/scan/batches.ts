import { basename } from 'node:path';
import type { SeenFile } from '../messages.ts';
import type { IndexedFile } from '../schema.ts';
import type { WalkedFile } from './walk.ts';

/**
 * The number of files per message: enough to fill the embedder's batches, but few enough to distribute and to
 * repeat.
 */
const FILES_AT_ONCE = 200;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
const REMOVALS_AT_ONCE = 1000;
/** The maximum number of indexed files of the same size with which a new file is compared. */
const MAX_POSSIBLE_COPIES = 3;

type CandidateFile = WalkedFile & SeenFile;

/**
 * Returns each file with the indexed files of the same size, because it may be a copy of one. Those with the
 * same name come first, so that each file of a moved directory finds its own. The largest files come first.
 */
export function withPossibleCopies(files: WalkedFile[], known: Iterable<IndexedFile>): CandidateFile[] {
  const hashed = [...known].filter(({ hash }) => hash !== '');
  const namesakes = Map.groupBy(hashed, ({ size, path }) => `${size} ${basename(path)}`);
  const bySize = Map.groupBy(hashed, ({ size }) => size);
  const copiesOf = ({ path, size }: WalkedFile) => {
    const candidates = [namesakes.get(`${size} ${basename(path)}`), bySize.get(size)];
    const paths = candidates.flatMap((some = []) =>
      some.slice(0, MAX_POSSIBLE_COPIES + 1).map((file) => file.path),
    );
    return [...new Set(paths)].filter((other) => other !== path).slice(0, MAX_POSSIBLE_COPIES);
  };
  return files.map((file) => ({ ...file, possibleCopies: copiesOf(file) })).sort((a, b) => b.size - a.size);
}

/** Contents of one message. */
export interface FileBatch {
  files: SeenFile[];
  removed: string[];
}

/**
 * Splits the files into batches. A removed file that may be the original of a copy is in the same message as
 * the copy, after it.
 */
export function toBatches(files: CandidateFile[], removed: string[]): FileBatch[] {
  const left = new Set(removed);
  const batches: FileBatch[] = groupFiles(files).map((group) => {
    const possibleCopies = [...new Set(group.flatMap((file) => file.possibleCopies))].filter((path) =>
      left.delete(path),
    );
    return {
      files: group.map(({ path, possibleCopies: of }) => ({ path, possibleCopies: of })),
      removed: possibleCopies,
    };
  });
  const rest = [...left];
  for (let start = 0; start < rest.length; start += REMOVALS_AT_ONCE) {
    batches.push({ files: [], removed: rest.slice(start, start + REMOVALS_AT_ONCE) });
  }
  return batches;
}

function groupFiles(files: CandidateFile[]): CandidateFile[][] {
  const groups: CandidateFile[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    const last = groups.at(-1);
    if (last === undefined || last.length >= FILES_AT_ONCE || bytes + file.size > BYTES_AT_ONCE) {
      groups.push([file]);
      bytes = file.size;
    } else {
      last.push(file);
      bytes += file.size;
    }
  }
  return groups;
}
