import { readdir } from 'node:fs/promises';
import * as z from 'zod';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { requireWritable } from '../../datasets/links/mounts.ts';
import { SOURCES_FOLDER } from '../../documents/provenance.ts';
import { Conflict, noneIfRefused } from '../../errors.ts';
import { writeUnlessOther } from '../../files/sources-folder.ts';
import { touchedPaths, writeWhole } from '../../files/write.ts';
import { filesChangedIn } from '../../indexing/enqueue.ts';
import { confine, openInside, withDirectory } from '../../paths/confine.ts';
import { sha256 } from '../../paths/hash.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import type { Queue } from '../../ports/queue.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { checkRetractionsSoon } from '../../quotations/records/retractions.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { toCslItem } from '../result/csl-json.ts';
import { type Source, sourceSchema } from '../schema.ts';

export interface SavedSource {
  path: string;
  source: Source;
}

export interface SavePorts extends TimedRecords {
  touchQueue: Queue;
}

const PAPERS_FOLDER = `${SOURCES_FOLDER}/papers`;

/** Returns whether the file contains a paper's metadata, which isn't a source. */
export function isMetadata(path: string): boolean {
  return path.startsWith(`${PAPERS_FOLDER}/`) && path.endsWith('.json');
}

/** The maximum number of known papers, because all of them are read for every question. */
const MAX_KNOWN = 2000;
/** The maximum size of a metadata file in bytes: twice that of a paper with a hundred authors. */
const MAX_METADATA_BYTES = 256 * 1024;
/**
 * The maximum total size of metadata files in bytes, because all are in memory at once. It allows 16 KB per
 * file, and most have 2 KB.
 */
const MAX_KNOWN_BYTES = 32 * 1024 * 1024;

/** The metadata next to a saved paper: a CSL-JSON item whose `custom` field belongs to this service. */
const metadataSchema = z.object({
  custom: z.object({ file: z.string().regex(/^[^/]+$/), sha256: z.string(), source: sourceSchema }),
});

/**
 * The number of files to read concurrently, as in a sync: on a mounted file system, each read waits for the
 * network.
 */
const READS_AT_ONCE = 16;

/**
 * Returns the papers of a workspace, under every key that identifies them. A paper that a user removed isn't
 * included.
 */
export async function knownPapers({ rootPath }: Workspace): Promise<Map<string, SavedSource>> {
  const names = new Set(await listNames(rootPath));
  const known = new Map<string, SavedSource>();
  for (const custom of await readAllMetadata(rootPath, [...names])) {
    if (custom === undefined || !names.has(custom.file)) continue;
    const kept = { path: `${PAPERS_FOLDER}/${custom.file}`, source: custom.source };
    for (const key of [...identitiesOf(custom.source), custom.sha256])
      if (!known.has(key) || !isAbstract(kept)) known.set(key, kept);
  }
  return known;
}

/** Reads the metadata in the order of the names, which decides between duplicates. */
async function readAllMetadata(root: string, names: string[]) {
  const wanted = names.filter((each) => each.endsWith('.json')).slice(0, MAX_KNOWN);
  const found: Awaited<ReturnType<typeof readMetadata>>[] = new Array(wanted.length);
  const room = { bytes: MAX_KNOWN_BYTES };
  await forEachConcurrent(wanted.entries(), READS_AT_ONCE, async ([index, name]) => {
    found[index] = await readMetadata(root, `${PAPERS_FOLDER}/${name}`, room);
  });
  return found;
}

async function listNames(root: string): Promise<string[]> {
  const location = await confine(root, PAPERS_FOLDER).catch(noneIfRefused);
  if (location === undefined) return [];
  return (await withDirectory(root, location, (directory) => readdir(directory)).catch(noneIfRefused)) ?? [];
}

async function readMetadata(root: string, path: string, room = { bytes: MAX_METADATA_BYTES }) {
  const text = await readSmall(root, path, room).catch(noneIfRefused);
  try {
    return metadataSchema.safeParse(JSON.parse(text ?? '')).data?.custom;
  } catch {
    return undefined; // another program's file, or broken
  }
}

/** Subtracts the size of the read file from the remaining room. */
async function readSmall(root: string, path: string, room: { bytes: number }): Promise<string | undefined> {
  await using handle = await openInside(root, path);
  const { size } = await handle.stat();
  if (size > Math.min(room.bytes, MAX_METADATA_BYTES)) return undefined;
  room.bytes -= size;
  return String(await readAtMost(handle, size));
}

/** Lists the saved papers of the workspace, each once, without the abstract of a paper that was downloaded later. */
export async function listSaved(workspace: Workspace): Promise<SavedSource[]> {
  const known = await knownPapers(workspace);
  const kept = [...known.values()].map((each) => findKnown(known, each.source) ?? each);
  return [...new Map(kept.map((each) => [each.path, each])).values()];
}

export function findKnown(known: Map<string, SavedSource>, source: Source): SavedSource | undefined {
  return identitiesOf(source)
    .map((id) => known.get(id))
    .find((each) => each !== undefined);
}

/**
 * The extension for a source that is only an abstract, because the paper couldn't be downloaded. The title
 * tells readers.
 */
export const ABSTRACT_EXTENSION = '.abstract.md';

export function isAbstract({ path }: SavedSource): boolean {
  return path.endsWith(ABSTRACT_EXTENSION);
}

/** Returns the keys that identify a paper: its IDs or, if it has none, its URL. */
export function identitiesOf({ doi, arxivId, url }: Source): string[] {
  const ids = [doi && `doi:${doi}`, arxivId && `arxiv:${arxivId}`].filter(
    (id) => id !== undefined && id !== '',
  );
  return ids.length > 0 ? ids.map(String) : url === undefined ? [] : [`url:${url}`];
}

/**
 * Saves a paper as a file, with its metadata next to it, and notifies the index. The metadata is written
 * last. Without it, the paper counts as unknown, so after an interruption it is downloaded again to the same
 * place. The same bytes under another ID are saved once.
 */
export async function savePaper(
  { records, touchQueue, clock }: SavePorts,
  { id, rootPath }: Workspace,
  known: Map<string, SavedSource>,
  { source, bytes, extension }: { source: Source; bytes: Buffer; extension: string },
): Promise<SavedSource> {
  const hash = await sha256(bytes);
  const same = known.get(hash);
  if (same !== undefined) return same;
  await requireWritable(records, id, PAPERS_FOLDER);
  const name = await writePaper(rootPath, source, { bytes, extension, hash });
  const file = `${name}${extension}`;
  const path = `${PAPERS_FOLDER}/${file}`;
  const changed = filesChangedIn({ records, queue: touchQueue, clock });
  await changed(id, await touchedPaths(rootPath, path));
  const metadata = { ...toCslItem({ path, source }), custom: { file, sha256: hash, source } };
  await writeWhole(
    rootPath,
    `${PAPERS_FOLDER}/${name}.json`,
    Buffer.from(`${JSON.stringify(metadata, null, 2)}\n`),
  );
  const kept = { path, source };
  for (const key of [...identitiesOf(source), hash]) known.set(key, kept);
  await checkRetractionsSoon({ records, clock }, id);
  return kept;
}

/**
 * Writes the paper under its own name or, if another file has that name, under one with a hash of its bytes. Returns
 * the name.
 */
async function writePaper(
  rootPath: string,
  source: Source,
  { bytes, extension, hash }: { bytes: Buffer; extension: string; hash: string },
): Promise<string> {
  const name = await nameOf(source);
  const names = await listNames(rootPath);
  for (const candidate of [name, `${name}-${hash.slice(0, 8)}`, `${name}-${hash}`]) {
    const metadata = `${candidate}.json`;
    if (names.includes(metadata) && !(await isOf(source, rootPath, metadata))) continue;
    if (await writeUnlessOther(rootPath, `${PAPERS_FOLDER}/${candidate}${extension}`, bytes, hash))
      return candidate;
  }
  throw new Conflict(
    'path_exists',
    `${PAPERS_FOLDER} already has another file named ${name}. Rename or move it.`,
  );
}

async function isOf(source: Source, rootPath: string, metadata: string): Promise<boolean> {
  const custom = await readMetadata(rootPath, `${PAPERS_FOLDER}/${metadata}`);
  const own = new Set(identitiesOf(source));
  return custom !== undefined && identitiesOf(custom.source).some((id) => own.has(id));
}

/** Returns a readable name derived from the paper: `attention-is-all-you-need-5f2b9c01`. */
async function nameOf(source: Source): Promise<string> {
  const [identity = source.title] = identitiesOf(source);
  const hash = await sha256(Buffer.from(identity));
  const words = source.title
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9\p{Script=Han}]+/gu) ?? ['paper'];
  return `${[...words.join('-')].slice(0, 50).join('').replace(/-$/, '')}-${hash.slice(0, 8)}`;
}
