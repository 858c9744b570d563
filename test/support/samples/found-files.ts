import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { indexes } from '../../../lib/passages/search-space.ts';
import { sha256 } from '../../../lib/paths/hash.ts';
import type { Records } from '../../../lib/ports/records.ts';
import type { PassageTable, Vectors } from '../../../lib/ports/vectors.ts';
import { foundPassage } from './found-passage.ts';

/** An index without an engine: every search finds all added files, each as one passage. */
export function foundFiles(records: Records) {
  const paths: string[] = [];
  let root = '';
  const table = {
    searchText: async () => {
      const found = paths.map(async (path) => {
        const bytes = await readFile(join(root, path));
        return { ...foundPassage(path, bytes.toString()), fileHash: await sha256(bytes) };
      });
      return Promise.all(found);
    },
    count: async () => paths.length,
  };
  return {
    vectors: { open: async () => table as unknown as PassageTable } as unknown as Vectors,
    /** Writes a file of a workspace, which is found from then on. */
    async add(workspace: { id: string; rootPath: string }, path: string, text: string): Promise<void> {
      root = workspace.rootPath;
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
      if (!paths.includes(path)) paths.push(path);
      await indexes.put(records, { workspaceId: workspace.id, space: 'lexical' });
    },
  };
}
