import { singleFlight } from '../../async/single-flight.ts';
import { Conflict, UpstreamFailed } from '../../errors.ts';
import type { ArticleHead } from '../../papers/found-addresses.ts';
import { type Clock, timestamp } from '../../ports/clock.ts';
import type { PaperFile, Papers } from '../../ports/papers.ts';
import { arxivIdOf } from '../../text/paper-identifiers.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { Source } from '../schema.ts';
import {
  findKnown,
  identitiesOf,
  isAbstract,
  knownPapers,
  type SavedSource,
  type SavePorts,
  savePaper,
} from './saved-papers.ts';

export interface ArticlePorts extends SavePorts {
  papers: Pick<Papers, 'fetch'>;
  clock: Clock;
}

export interface SavedArticle {
  saved: SavedSource;
  /** False if it was already saved, or if another file has the same bytes. */
  isNew: boolean;
}

/**
 * Single flight, because two questions may need the same paper at the same time, or a person may request it
 * too.
 */
const share = singleFlight<SavedArticle>();

/**
 * Saves the whole paper in the workspace, unless it's already saved. With `onlyPdf`, a web page isn't enough.
 * Throws Conflict for a paper that isn't open access, the errors of downloading and saving, and the signal's
 * reason.
 */
export async function saveArticle(
  ports: ArticlePorts,
  workspace: Workspace,
  article: ArticleHead,
  { signal, onlyPdf = false }: { signal: AbortSignal; onlyPdf?: boolean },
): Promise<SavedArticle> {
  const source = sourceOf(ports, article);
  const [identity = article.url] = identitiesOf(source);
  return share(`${workspace.id} ${identity} ${onlyPdf}`, signal, async (shared) => {
    const known = await knownPapers(workspace);
    const there = findKnown(known, source);
    if (there !== undefined && !isAbstract(there)) return { saved: there, isNew: false };
    const paths = new Set([...known.values()].map(({ path }) => path));
    const { bytes, extension } = await (onlyPdf ? fetchPdf : fetchAny)(ports, article, shared);
    const saved = await savePaper(ports, workspace, known, { source, bytes, extension });
    return { saved, isNew: !paths.has(saved.path) };
  });
}

async function fetchAny(
  { papers }: ArticlePorts,
  article: ArticleHead,
  signal: AbortSignal,
): Promise<PaperFile> {
  const { isOpen, url, pdfUrl } = article;
  if (isOpen === false)
    throw new Conflict(
      'paper_not_open_access',
      "This paper isn't open access, so its PDF can't be downloaded.",
    );
  return papers.fetch({ url, pdfUrl: pdfUrl ?? undefined }, { signal });
}

async function fetchPdf(ports: ArticlePorts, article: ArticleHead, signal: AbortSignal): Promise<PaperFile> {
  const file = await fetchAny(ports, { ...article, url: article.pdfUrl ?? article.url }, signal);
  if (file.extension === '.pdf') return file;
  throw new UpstreamFailed('download_failed', `${new URL(file.url).hostname} returned no PDF.`);
}

export function sourceOf({ clock }: Pick<ArticlePorts, 'clock'>, article: ArticleHead): Source {
  const { id, title, authors, publishedDate, doi, url, license } = article;
  const arxivId = arxivIdOf(id);
  return {
    ...{ kind: 'paper', title, authors, url, retrievedAt: timestamp(clock) },
    ...(publishedDate !== null && { publishedDate }),
    ...(doi !== null && { doi }),
    ...(arxivId !== null && { arxivId }),
    ...(license !== undefined && { license }),
  };
}
