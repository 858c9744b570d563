import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempFolder } from '../temp-folder.ts';

/** A folder with these files. */
export async function makeTree(files: Record<string, string | Uint8Array>): Promise<string> {
  const root = await tempFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}
