import { createHash } from 'node:crypto';
import { predicateOf, ServiceError, UpstreamFailed } from '../../errors.ts';
import { splitNewPath } from '../../paths/confine.ts';
import { foldPath } from '../../paths/entry-path.ts';

const MAX_SHOWN = 200;

/**
 * Rejects names that a hub may have but a folder can't: paths that leave the folder or aren't normalized,
 * names that differ only in case or in the encoding of an accent, and a file in place of a directory.
 */
export function nameChecker(): (path: string) => void {
  const files = new Set<number>();
  const directories = new Set<number>();
  return (path) => {
    checkPath(path);
    const parts = foldPath(path).split('/');
    const name = fingerprint(parts.join('/'));
    if (files.has(name) || directories.has(name)) throw clash(path);
    files.add(name);
    for (let depth = 1; depth < parts.length; depth++) {
      const parent = fingerprint(parts.slice(0, depth).join('/'));
      if (files.has(parent)) throw clash(path);
      directories.add(parent);
    }
  };
}

function checkPath(path: string): void {
  try {
    if (splitNewPath(path).join('/') !== path || path === '')
      throw new UpstreamFailed('dataset_repository_unusable', "isn't a plain path");
  } catch (error) {
    const why = error instanceof ServiceError ? predicateOf(error) : "can't be used";
    throw new UpstreamFailed(
      'dataset_repository_unusable',
      `The repository has a file whose path ${why}: ${showPath(path)}`,
    );
  }
}

/**
 * Returns 48 bits, so that half a million names take some megabytes. In one of ten thousand lists, two names
 * collide.
 */
function fingerprint(text: string): number {
  return createHash('sha1').update(text).digest().readUIntBE(0, 6);
}

function clash(path: string): UpstreamFailed {
  return new UpstreamFailed(
    'dataset_repository_unusable',
    `The repository has two files that can't exist in one folder: ${showPath(path)}`,
  );
}

/** Returns an external name for use in a sentence: limited in length, without control characters. */
export function showPath(path: string): string {
  const shown = JSON.stringify(path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path);
  return shown.slice(1, -1);
}
