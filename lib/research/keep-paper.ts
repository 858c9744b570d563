import type { Caller } from '../access/caller.ts';
import { recordActivity } from '../activity/record.ts';
import { NotFound, UpstreamFailed } from '../errors.ts';
import { findFoundArticle } from '../papers/found-addresses.ts';
import { withinDeadline } from '../within-deadline.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { type ArticlePorts, keepArticle } from './gather/keep-article.ts';
import { isAbstract, type KeptSource, listKept } from './gather/kept-papers.ts';
import type { KeptPaper } from './paper-schema.ts';

/** A turn at arXiv and a download; the function has 90 s. */
const KEEP_MS = 80_000;

/**
 * Keeps the PDF of a paper that a search found, for a person: in the place and with the metadata that reports give it, and
 * once, whoever was first. Throws NotFound for what no search answered, Conflict for what is not open access, UpstreamFailed.
 */
export async function keepFoundPaper(
  ports: ArticlePorts,
  caller: Caller,
  workspace: Workspace,
  pdfUrl: string,
): Promise<{ paper: KeptPaper; isNew: boolean }> {
  const article = await findFoundArticle(ports, pdfUrl);
  if (article === undefined)
    throw new NotFound('pdfUrl: no search has answered it lately; search for it first');
  const done = await withinDeadline(KEEP_MS, (signal) =>
    keepArticle(ports, workspace, article, { signal, onlyPdf: true }),
  );
  if (done === undefined) throw new UpstreamFailed(`the PDF did not come within ${KEEP_MS / 1000} s`);
  const { kept, isNew } = done;
  if (isNew)
    await recordActivity(ports, {
      ...{ workspaceId: workspace.id, kind: 'file_written', actor: caller.id },
      ...{ summary: `Kept the paper ${kept.path}`, details: { path: kept.path, pdfUrl } },
    });
  return { paper: describeKept(kept), isNew };
}

/** What the workspace keeps of papers, whoever had them fetched, by title. */
export async function listKeptPapers(workspace: Workspace): Promise<KeptPaper[]> {
  const papers = (await listKept(workspace)).map(describeKept);
  return papers.sort((a, b) => (a.title < b.title ? -1 : 1));
}

const MAX_AUTHORS = 10;
const MAX_TEXT = 500;
const MAX_URL = 2000;

/** The metadata are a file that members may change: all that is shown of them is bounded. */
function describeKept(kept: KeptSource): KeptPaper {
  const { title, authors = [], url, doi, arxivId, publishedDate, license, retrievedAt } = kept.source;
  return {
    path: kept.path,
    title: cut(title),
    authors: authors.slice(0, MAX_AUTHORS).map(cut),
    url: url === undefined || url.length > MAX_URL ? null : url,
    doi: doi === undefined ? null : cut(doi),
    arxivId: arxivId === undefined ? null : cut(arxivId),
    publishedDate: publishedDate ?? null,
    license: license === undefined ? null : cut(license),
    retrievedAt: retrievedAt ?? null,
    isWhole: !isAbstract(kept),
  };
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT).toWellFormed();
}
