import { posix } from 'node:path';
import { type Archive, broken } from './archive.ts';
import { readXml } from './xml.ts';

/** A relationship between two entries of an Office document (ECMA-376, part 2). */
export interface Relationship {
  id: string;
  /**
   * The last segment of the relationship's URL, such as `styles` or `slide`. The rest differs between the two
   * editions of the standard.
   */
  type: string;
  /** The name of the other entry. */
  entry: string;
}

/** Returns the entries that an entry links to within the document. The empty name stands for the whole document. */
export async function readRelationships(archive: Archive, entry: string): Promise<Relationship[]> {
  const { dir, base } = posix.parse(entry);
  const found: Relationship[] = [];
  await readXml(archive, posix.join(dir, '_rels', `${base}.rels`), {
    open(name, { Id: id, Type: type, Target: target, TargetMode: mode }) {
      if (name !== 'Relationship' || mode === 'External' || !id || !type || !target) return;
      found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), entry: entryAt(dir, target) });
    },
  });
  return found;
}

/** A target is relative to the entry's own folder, or starts with `/` at the top. */
function entryAt(folder: string, target: string): string {
  return posix.join('/', target.startsWith('/') ? '' : folder, target).slice(1);
}

export function entryOfType(relationships: Relationship[], type: string): string | undefined {
  return relationships.find((one) => one.type === type)?.entry;
}

/** Returns the entry that contains the document itself. */
export async function mainEntry(archive: Archive): Promise<string> {
  const entry = entryOfType(await readRelationships(archive, ''), 'officeDocument');
  if (entry === undefined || !archive.has(entry)) throw broken(archive.title);
  return entry;
}
