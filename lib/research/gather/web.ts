import { Conflict, UpstreamFailed } from '../../errors.ts';
import { formatOfDownload } from '../../formats/all-formats.ts';
import { touchChanged } from '../../indexing/enqueue.ts';
import { requireRefusal } from '../../known-error.ts';
import { sha256 } from '../../paths/hash.ts';
import { timestamp } from '../../ports/clock.ts';
import { hashOf } from '../../runs/steps/stored-steps.ts';
import type { SubQuestion } from '../schema.ts';
import type { Study } from '../work/study.ts';
import { readDocuments } from './documents.ts';
import type { Found } from './files.ts';
import type { SavedSource } from './papers.ts';
import { SOURCES_FOLDER, writeUnlessOther } from './sources-folder.ts';

const MAX_BYTES = 10_000_000;
const FETCH_MS = 30_000;

/** Returns the nearest passages of pages that a user named. The model never chooses a URL. */
export async function gatherPages(study: Study, question: SubQuestion): Promise<Found> {
  const pages = await Promise.all(study.request.addresses.map((url) => savePage(study, url)));
  const kept = pages.filter((page) => 'path' in page);
  const found = await readDocuments(study, question, kept);
  const left = pages.flatMap((page) =>
    'path' in page ? [] : [{ questionId: question.id, ...page, used: false }],
  );
  return { ...found, looked: [...found.looked, ...left] };
}

type Page = SavedSource | { url: string; reason: string };

const underWay = new WeakMap<Study, Map<string, Promise<Page>>>();

/** Downloads a page once for all questions. */
function savePage(study: Study, url: string): Promise<Page> {
  const pages = underWay.get(study) ?? new Map<string, Promise<Page>>();
  underWay.set(study, pages);
  const page = pages.get(url) ?? study.steps.once('page', url, () => fetchPage(study, url));
  pages.set(url, page);
  return page;
}

async function fetchPage(study: Study, url: string): Promise<Page> {
  const { ports, workspace, signal } = study;
  study.requireMayGoOn();
  try {
    const fetched = { maxBytes: MAX_BYTES, timeoutMs: FETCH_MS, signal };
    const { status, contentType, bytes } = await ports.web.fetchPublic(url, fetched);
    if (status !== 200)
      throw new UpstreamFailed('download_failed', `${new URL(url).hostname} returned status ${status}.`);
    const { extensions } = formatOfDownload(bytes, contentType);
    const path = await writePage(workspace.rootPath, nameOf(url), extensions[0] ?? 'txt', bytes);
    await touchChanged(ports, workspace.id, [path]);
    const source = { kind: 'web' as const, title: url, url, retrievedAt: timestamp(ports.clock) };
    return { path, source };
  } catch (error) {
    signal.throwIfAborted();
    return { url, reason: requireRefusal(error).message };
  }
}

/**
 * Earlier contents of a page stay next to the current ones, and so do a user's edits, because reports cite
 * them.
 */
async function writePage(root: string, name: string, extension: string, bytes: Buffer): Promise<string> {
  const hash = await sha256(bytes);
  for (const version of [hash.slice(0, 8), hash]) {
    const path = `${SOURCES_FOLDER}/web/${name}-${version}.${extension}`;
    if (await writeUnlessOther(root, path, bytes, hash)) return path;
  }
  throw new Conflict(
    'path_exists',
    `${SOURCES_FOLDER}/web already has another file named ${name}. Rename or move it.`,
  );
}

/** Returns a readable name that is unique per URL. */
function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  const words = `${hostname}${pathname}`.replace(/[^a-zA-Z0-9]+/g, '-').slice(0, 60);
  return `${words}-${hashOf(url).slice(0, 8)}`;
}
