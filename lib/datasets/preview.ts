import { Conflict, InvalidInput, NotFound } from '../errors.ts';
import { openInside } from '../paths/confine.ts';
import type { Objects } from '../ports/objects.ts';
import { readManifest } from './describe.ts';
import { requireRoot } from './folders.ts';
import { canonicalSplit, isTable } from './formats.ts';
import type { Dataset, Manifest, ManifestFile, ManifestSplit, Preview } from './schema.ts';
import { readBeginning } from './tables/read-table.ts';
import type { Beginning } from './tables/text.ts';

/** Files that are opened for one preview, when each holds a few rows only. */
const MAX_FILES = 20;
/** An answer ends before its rows do when they are long. */
const MAX_ANSWER = 4 * 1024 * 1024;

/** The first rows of a split. Throws Conflict when the dataset is not ready, NotFound for a split that is not there. */
export async function previewDataset(
  objects: Objects,
  dataset: Dataset,
  { split, n }: { split?: string | undefined; n: number },
): Promise<Preview> {
  if (dataset.status !== 'ready')
    throw new Conflict(`the dataset is ${dataset.status}: preview is for one that is ready`);
  const place = { id: dataset.id, localPath: await requireRoot(dataset) };
  const manifest = await readManifest(objects, dataset);
  const [name, chosen] = chooseSplit(manifest, split);
  const [first, ...others] = chosen.files.filter(({ format }) => isTable(format));
  if (first === undefined) return { split: name, columns: [], rows: [], format: 'unknown', totalRows: null };
  const { columns, rows } = await readFirst(place, first, n);
  for (const file of others.filter(({ format }) => format === first.format).slice(0, MAX_FILES - 1)) {
    if (rows.length >= n) break;
    rows.push(...(await readFirst(place, file, n - rows.length)).rows);
  }
  return { split: name, columns, rows: cutLong(rows), format: first.format, totalRows: chosen.numRows };
}

function chooseSplit(manifest: Manifest | undefined, wanted: string | undefined): [string, ManifestSplit] {
  const splits = Object.entries(manifest?.splits ?? {});
  const empty: ManifestSplit = { files: [], numFiles: 0, numRows: null };
  if (wanted === undefined) return defaultSplit(splits) ?? ['default', empty];
  const found =
    splits.find(([name]) => name === wanted) ?? splits.find(([name]) => name === canonicalSplit(wanted));
  if (found !== undefined) return found;
  const names = splits.map(([name]) => name).slice(0, 20);
  throw new NotFound(`split: there is none of that name, but ${names.join(', ') || 'no other either'}`);
}

/** train, or the first with rows. */
function defaultSplit(splits: [string, ManifestSplit][]): [string, ManifestSplit] | undefined {
  const filled = splits.filter(([, { files }]) => files.some(({ format }) => isTable(format)));
  return filled.find(([name]) => name === 'train') ?? filled[0] ?? splits[0];
}

async function readFirst(
  { id, localPath }: Pick<Dataset, 'id' | 'localPath'>,
  { path, format }: ManifestFile,
  count: number,
): Promise<Beginning> {
  const handle = await openInside(localPath, path);
  try {
    const { size } = await handle.stat();
    return await readBeginning({ handle, size }, format, count, id);
  } catch (error) {
    if (error instanceof Conflict || error instanceof InvalidInput)
      throw new Conflict(`${path} cannot be shown: ${error.message}`);
    throw error;
  } finally {
    await handle.close();
  }
}

function cutLong(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += JSON.stringify(row).length;
    return bytes > MAX_ANSWER;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}
