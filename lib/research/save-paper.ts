import type { Caller } from '../access/caller.ts';
import { recordActivity } from '../activity/record.ts';
import { singleFlight } from '../async/single-flight.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { ErrorCode } from '../error-codes.ts';
import { NotFound, UpstreamFailed } from '../errors.ts';
import { findFoundArticle } from '../papers/found-addresses.ts';
import { PAPER_DOWNLOAD_ERRORS } from '../papers/read.ts';
import { invalidCursor } from '../records/cursor.ts';
import { MAX_PAGE_BYTES, type PageQuery } from '../records/page.ts';
import { beginning } from '../text/cut-text.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { type ArticlePorts, saveArticle } from './gather/save-article.ts';
import { isAbstract, listSaved, type SavedSource } from './gather/saved-papers.ts';
import type { SavedPaper } from './paper-schema.ts';

/** Error codes for saving a paper, in addition to PATH_ERRORS for its folder. */
export const SAVE_PAPER_ERRORS = [
  ...PAPER_DOWNLOAD_ERRORS,
  'dataset_read_only',
  'download_failed',
  'paper_not_found',
  'paper_not_open_access',
] as const satisfies ErrorCode[];

/** Milliseconds, enough for a slot at arXiv and a download. The function has 90 s. */
const SAVE_MS = 80_000;

/**
 * Saves the PDF of a found paper for a user, in the same place and with the same metadata as in reports, and
 * only once for all of these. If a report has saved the paper as a web page, that counts too. Throws NotFound
 * for a paper that no search returned, Conflict for one that isn't open access, UpstreamFailed.
 */
export async function saveFoundPaper(
  ports: ArticlePorts,
  caller: Caller,
  workspace: Workspace,
  pdfUrl: string,
): Promise<{ paper: SavedPaper; isNew: boolean }> {
  const article = await findFoundArticle(ports, pdfUrl);
  if (article === undefined)
    throw new NotFound(
      'paper_not_found',
      "pdfUrl isn't in the results of a recent search. Search for the paper first.",
      { field: 'pdfUrl' },
    );
  const done = await withTimeout(SAVE_MS, (signal) =>
    saveArticle(ports, workspace, article, { signal, onlyPdf: true }),
  );
  if (done === undefined)
    throw new UpstreamFailed(
      'download_failed',
      `The PDF did not arrive within ${SAVE_MS / 1000} s. Try again.`,
    );
  const { saved, isNew } = done;
  if (isNew)
    await recordActivity(ports, {
      ...{ workspaceId: workspace.id, kind: 'file_written', actor: caller.id },
      ...{ summary: `Saved the paper ${saved.path}`, details: { path: saved.path, pdfUrl } },
    });
  return { paper: describeSaved(saved), isNew };
}

/** Concurrent requests share one read and one copy in memory. */
const shareList = singleFlight<SavedSource[]>();

/**
 * Lists the saved papers of the workspace, by title, whoever saved them. Each page reads all files, because
 * they contain the titles.
 */
export async function listSavedPapers(
  workspace: Workspace,
  { limit, cursor }: PageQuery,
): Promise<{ items: SavedPaper[]; cursor?: string }> {
  const after = cursor === undefined ? '' : readCursor(cursor);
  const saved = await shareList(workspace.rootPath, new AbortController().signal, () => listSaved(workspace));
  const papers = saved.map(describeSaved).map((paper) => ({ paper, place: placeOf(paper) }));
  const rest = papers.filter(({ place }) => place > after).sort((a, b) => (a.place < b.place ? -1 : 1));
  let bytes = 0;
  const end = rest.findIndex(({ paper }, at) => {
    bytes += Buffer.byteLength(JSON.stringify(paper));
    return at >= limit || (bytes > MAX_PAGE_BYTES && at > 0);
  });
  const shown = end < 0 ? rest : rest.slice(0, end);
  const items = shown.map(({ paper }) => paper);
  const last = end < 0 ? undefined : shown.at(-1);
  return last === undefined ? { items } : { items, cursor: Buffer.from(last.place).toString('base64url') };
}

/** Returns the position of a paper in the list: its title and its path, because several may have the same title. */
function placeOf({ title, path }: SavedPaper): string {
  return `${title}\0${path}`;
}

function readCursor(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString();
  if (!place.includes('\0')) throw invalidCursor();
  return place;
}

const MAX_AUTHORS = 10;
const MAX_TEXT = 500;
const MAX_URL = 2000;

/** Limits everything that is shown from the metadata, because members may change that file. */
function describeSaved(saved: SavedSource): SavedPaper {
  const { title, authors = [], url, doi, arxivId, publishedDate, license, retrievedAt } = saved.source;
  return {
    path: saved.path,
    title: cut(title),
    authors: authors.slice(0, MAX_AUTHORS).map(cut),
    url: url === undefined || url.length > MAX_URL ? null : url,
    doi: doi === undefined ? null : cut(doi),
    arxivId: arxivId === undefined ? null : cut(arxivId),
    publishedDate: publishedDate ?? null,
    license: license === undefined ? null : cut(license),
    retrievedAt: retrievedAt ?? null,
    isPdf: saved.path.endsWith('.pdf'),
    isWhole: !isAbstract(saved),
  };
}

function cut(text: string): string {
  return beginning(text.toWellFormed(), MAX_TEXT);
}
