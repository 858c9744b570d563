import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Digest } from '../../ports/hub.ts';
import { showPath } from './check-names.ts';
import { Spoiled } from './copy-stream.ts';
import type { PlannedFile } from './records.ts';

const READ_BYTES = 1024 * 1024;

/**
 * Hashes a file's bytes in order, always with SHA-256, and also with git's hash if the hub promises a git
 * hash.
 */
export interface FileHash {
  update(bytes: Buffer): void;
  /** Returns the SHA-256. Throws Spoiled if the bytes aren't the promised ones. */
  verify(): string;
}

export function hashFile({ path, size, digest }: PlannedFile): FileHash {
  const sha256 = createHash('sha256');
  const git = digest?.algorithm === 'git' ? createHash('sha1').update(`blob ${size}\0`) : undefined;
  return {
    update(bytes) {
      sha256.update(bytes);
      git?.update(bytes);
    },
    verify() {
      const found = { sha256: sha256.digest('hex'), git: git?.digest('hex') };
      if (!isPromised(found, digest)) throw new Spoiled(`${showPath(path)} has not the promised hash`);
      return found.sha256;
    },
  };
}

function isPromised(found: { sha256: string; git: string | undefined }, digest: Digest | null): boolean {
  return digest === null || found[digest.algorithm] === digest.hex.toLowerCase();
}

/** Adds the bytes of a file up to `to`. Throws Spoiled if there are fewer. */
export async function addFromDisk(
  handle: FileHandle,
  hash: Pick<Hash | FileHash, 'update'>,
  to: number,
  step: () => void | Promise<void>,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, Math.max(1, to)));
  for (let at = 0; at < to; ) {
    await step();
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) throw new Spoiled('is shorter on the disk than it was written');
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}
