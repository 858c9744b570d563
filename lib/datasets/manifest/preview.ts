import { withTimeout } from '../../async/with-timeout.ts';
import { Conflict, InvalidInput, NotFound } from '../../errors.ts';
import { openInside } from '../../paths/confine.ts';
import type { Objects } from '../../ports/objects.ts';
import { requireRoot } from '../folders.ts';
import type { Dataset, Manifest, ManifestFile, ManifestSplit, Preview } from '../schema.ts';
import { readRows } from '../tables/read-table.ts';
import type { RowSpan, SomeRows } from '../tables/text.ts';
import { readDatasetManifest } from './describe.ts';
import { canonicalSplit, isTable } from './formats.ts';

/** Maximum files to open for one preview, if each file has only a few rows. */
const MAX_FILES = 20;
/** Maximum characters of a response. It ends early if rows are long. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Milliseconds for all files together, including the wait for a slot; the function has 60 s. */
const PREVIEW_MS = 25_000;

/**
 * Returns the rows of a split that can be read in time. Notices say what is missing. Throws Conflict if the
 * dataset isn't ready, NotFound for an unknown split.
 */
export async function previewDataset(
  objects: Objects,
  dataset: Dataset,
  { split, n, offset = 0 }: { split?: string | undefined; n: number; offset?: number },
  withinMs = PREVIEW_MS,
): Promise<Preview> {
  if (dataset.status !== 'ready')
    throw new Conflict(
      'dataset_wrong_state',
      `The dataset is ${dataset.status}. Only a ready dataset has a preview.`,
    );
  const place = { id: dataset.id, localPath: await requireRoot(dataset) };
  const manifest = await readDatasetManifest(objects, dataset);
  const [name, chosen] = chooseSplit(manifest, split);
  const tables = chosen.files.filter(({ format }) => isTable(format));
  const format = tables[0]?.format ?? 'unknown';
  const files = tables.filter((file) => file.format === format);
  const found: Found = { columns: [], rows: [] };
  const span = { skip: offset, count: n };
  await withTimeout(withinMs, (signal) => readFiles(place, files, { span, found, signal }));
  const rows = cutLong(found.rows);
  return {
    split: name,
    columns: found.columns,
    rows,
    format,
    totalRows: tables.length > 0 ? chosen.numRows : null,
    notices: [...noticesOf(found, withinMs), ...(rows.length < found.rows.length ? [LONG_ROWS] : [])],
  };
}

/** The rows found so far. They are returned even if the next file fails. */
interface Found extends Pick<SomeRows, 'columns' | 'rows'> {
  /** The current file; at the end, the file at which reading stopped. */
  unread?: { path: string; reason?: string } | undefined;
}

const LONG_ROWS = 'The rows are long, so fewer are shown than requested.';

function noticesOf({ unread }: Found, withinMs: number): string[] {
  if (unread === undefined) return [];
  const { path, reason = `Not everything could be read within ${withinMs / 1000} s.` } = unread;
  return [`${path} and the rows after it are not shown. ${reason}`];
}

interface Reading {
  span: RowSpan;
  found: Found;
  signal: AbortSignal;
}

/**
 * Reads several files as if they were one. Doesn't open files whose rows all precede the first wanted row.
 */
async function readFiles(place: Place, files: ManifestFile[], { span, found, signal }: Reading) {
  const { skip, count } = span;
  let before = skip;
  let opened = 0;
  for (const file of files) {
    if (found.rows.length >= count) break;
    if (before > 0 && file.rows !== null && before >= file.rows) {
      before -= file.rows;
      continue;
    }
    const { path } = file;
    if (opened === MAX_FILES) {
      found.unread = { path, reason: `At most ${MAX_FILES} files are read at once.` };
      break;
    }
    opened++;
    found.unread = { path };
    const read = await readFile(place, file, { skip: before, count: count - found.rows.length }, signal);
    found.unread = undefined;
    if (found.columns.length === 0) found.columns = read.columns;
    found.rows.push(...read.rows);
    before -= read.passed;
  }
}

function chooseSplit(manifest: Manifest | undefined, wanted: string | undefined): [string, ManifestSplit] {
  const splits = Object.entries(manifest?.splits ?? {});
  const empty: ManifestSplit = { files: [], numFiles: 0, numRows: null };
  if (wanted === undefined) return defaultSplit(splits) ?? ['default', empty];
  const found =
    splits.find(([name]) => name === wanted) ?? splits.find(([name]) => name === canonicalSplit(wanted));
  if (found !== undefined) return found;
  const names = splits.map(([name]) => name).slice(0, 20);
  throw new NotFound(
    'dataset_split_not_found',
    `split must be an existing split: ${names.join(', ') || 'the dataset has none'}.`,
    { field: 'split' },
  );
}

/** Returns the split `train`, or the first split with rows. */
function defaultSplit(splits: [string, ManifestSplit][]): [string, ManifestSplit] | undefined {
  const filled = splits.filter(([, { files }]) => files.some(({ format }) => isTable(format)));
  return filled.find(([name]) => name === 'train') ?? filled[0] ?? splits[0];
}

type Place = Pick<Dataset, 'id' | 'localPath'>;

async function readFile(
  { id, localPath }: Place,
  { path, format }: ManifestFile,
  span: RowSpan,
  signal: AbortSignal,
): Promise<SomeRows> {
  const handle = await openInside(localPath, path);
  try {
    const { size } = await handle.stat();
    return await readRows({ handle, size }, format, span, { whose: id, signal });
  } catch (error) {
    if (error instanceof Conflict || error instanceof InvalidInput)
      throw new Conflict('dataset_preview_failed', `${path} can't be shown. ${error.message}`);
    throw error;
  } finally {
    await handle.close();
  }
}

function cutLong(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  let characters = 0;
  const end = rows.findIndex((row) => {
    characters += JSON.stringify(row).length;
    return characters > MAX_CHARACTERS;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}
