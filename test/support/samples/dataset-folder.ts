import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeFile, hashesOf } from '../fakes/fake-hub.ts';

/**
 * Returns the differences between a dataset's folder and the repository: missing names, extra names, or other
 * bytes.
 */
export async function differences(folder: string, files: FakeFile[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = new Set(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  );
  const wrong = [...found].filter((path) => !files.some((file) => file.path === path));
  for (const file of files) {
    const same = found.has(file.path) && (await sha256(join(folder, file.path))) === hashesOf(file).sha256;
    if (!same) wrong.push(file.path);
  }
  return wrong;
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(bytes as Buffer);
  return hash.digest('hex');
}
