import { createHash } from 'node:crypto';
import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import { MAX_FILE_BYTES } from '../../formats/max-file-bytes.ts';
import { MAX_OBJECTS, type SourceFile, type SourceObject } from '../../ports/file-source.ts';

/** Characters of a path. A longer one isn't stored. */
const MAX_PATH = 4096;

/** A file as a source lists it that has nothing but paths. */
const plainFileSchema = z.object({
  /** Names of the folders and the file, which may contain anything. */
  path: z.array(z.string()),
  version: z.string(),
  size: z.number(),
  /** True if the source lists the file, but doesn't return it. */
  isOffline: z.boolean().optional(),
});
export type PlainFile = z.infer<typeof plainFileSchema>;

/** Collects a list by paths, which end it at their limits. Throws UpstreamFailed. */
export function fileList(name: string) {
  const found = new Map<string, SourceObject>();
  return {
    add(file: PlainFile): void {
      if (file.path.join('/').length > MAX_PATH)
        throw new UpstreamFailed(
          'source_too_large',
          `${name} has a path with more than ${MAX_PATH} characters.`,
        );
      const key = idOf(file.path);
      found.set(key, { key, json: JSON.stringify(file) });
      if (found.size > MAX_OBJECTS)
        throw new UpstreamFailed('source_too_large', `${name} can have at most ${MAX_OBJECTS} files.`);
    },
    objects: () => [...found.values()],
  };
}

/** Identifies a file by its path, in a form that can be a name. */
function idOf(path: string[]): string {
  return createHash('sha256').update(JSON.stringify(path)).digest('hex').slice(0, 20);
}

/** Returns the files of a list. `urlOf` returns the URL of a path. */
export function filesOfList(objects: SourceObject[], urlOf: (path: string[]) => string): SourceFile[] {
  return objects.map(({ key, json }) => {
    const { path, version, size, isOffline } = plainFileSchema.parse(JSON.parse(json));
    const problem = isOffline ? 'missing' : size > MAX_FILE_BYTES ? 'size' : undefined;
    const facts = { url: urlOf(path), authors: [], tags: [] };
    return { id: key, folders: path.slice(0, -1), name: path.at(-1) ?? '', version, problem, facts };
  });
}

/** Returns the path of a file in a list. */
export function pathOfFile({ folders, name }: Pick<SourceFile, 'folders' | 'name'>): string[] {
  return [...folders, name];
}
