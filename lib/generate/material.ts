import { withoutClosed } from '../datasets/links/mounts.ts';
import { readSearchSpace } from '../passages/search-space.ts';
import type { Records } from '../ports/records.ts';
import type { Passage, Vectors } from '../ports/vectors.ts';

/** Material for one note. */
export interface Material {
  /** Passages by file, in file order. A repeated text is included once. */
  passages: Passage[];
  /** The total number of passages. */
  total: number;
}

/**
 * Returns every passage of the index. If they have too many bytes for the time limit, returns a sample that
 * is spread evenly over all files.
 */
export async function readMaterial(
  { records, vectors }: { records: Records; vectors: Vectors },
  workspaceId: string,
  maxBytes: number,
): Promise<Material> {
  const space = await readSearchSpace(records, workspaceId);
  if (space === undefined) return { passages: [], total: 0 };
  const table = await vectors.open(workspaceId, space);
  const found: Passage[] = [];
  for await (const some of table.passages()) found.push(...some.filter(({ text }) => text.trim() !== ''));
  const passages = withoutRepeats((await withoutClosed(records, workspaceId, found)).sort(byPlace));
  return { passages: thin(passages, maxBytes), total: passages.length };
}

function byPlace(one: Passage, other: Passage): number {
  if (one.path === other.path) return one.chunk - other.chunk;
  return one.path < other.path ? -1 : 1;
}

function withoutRepeats(passages: Passage[]): Passage[] {
  const texts = new Set<string>();
  return passages.filter(({ text }) => texts.size < texts.add(text).size);
}

function thin(passages: Passage[], maxBytes: number): Passage[] {
  const bytes = passages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const share = Math.min(1, maxBytes / bytes);
  return passages.filter((_, place) => Math.floor((place + 1) * share) > Math.floor(place * share));
}
