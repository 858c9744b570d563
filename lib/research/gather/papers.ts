import { foldForSearch } from '../../api-contract/fold-text.ts';
import { PAPER_SOURCES } from '../../api-contract/paper-sources.ts';
import { singleFlight } from '../../async/single-flight.ts';
import { ServiceError } from '../../errors.ts';
import { requireRefusal } from '../../known-error.ts';
import { HubBusy } from '../../ports/hub.ts';
import type { Article, Papers } from '../../ports/papers.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { termsOf } from '../../retrieval/rank/terms.ts';
import { arxivIdOf } from '../../text/paper-identifiers.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { saveArticle, sourceOf } from './save-article.ts';
import {
  ABSTRACT_EXTENSION,
  findKnown,
  identitiesOf,
  knownPapers,
  type SavedSource,
  type SavePorts,
  savePaper,
} from './saved-papers.ts';

export type { SavedSource };

interface LeftOut {
  title: string;
  url?: string;
  reason: string;
}

interface Wanted {
  subQuestion: string;
  keywords: string[];
  /** The maximum number of saved papers, including their references. */
  limit: number;
  /** Whether to follow the references of the best paper, one step. */
  followReferences: boolean;
  signal: AbortSignal;
}

export interface GatherPorts extends SavePorts, TimedRecords {
  papers: Papers;
}

/**
 * The maximum number of words in a search. Sources require that all words match, so a search with many words
 * finds nothing.
 */
const MAX_WORDS = 4;
const MAX_SEARCHES = 3;
const MAX_NAMED = 20;

/**
 * Saves the papers nearest to a question in the workspace. Doesn't download papers that are already saved.
 * Returns the reason for each paper that couldn't be saved. Throws the signal's reason.
 */
export async function gatherPapers(
  ports: GatherPorts,
  workspace: Workspace,
  wanted: Wanted,
): Promise<{ saved: SavedSource[]; leftOut: LeftOut[] }> {
  const words = wanted.keywords.length > 0 ? wanted.keywords : termsOf(wanted.subQuestion);
  const found = await findPapers(ports, words, wanted);
  const leftOut = found.leftOut;
  const most = wanted.followReferences ? Math.ceil(wanted.limit / 2) : wanted.limit;
  const near = await saveBest(ports, workspace, found.articles, { most, signal: wanted.signal }, leftOut);
  const [best] = near;
  const left = wanted.limit - near.length;
  if (!wanted.followReferences || best === undefined || left <= 0) return { saved: sourcesOf(near), leftOut };
  const cited = await citedBy(ports, best.article, words, wanted.signal, leftOut);
  const further = await saveBest(ports, workspace, cited, { most: left, signal: wanted.signal }, leftOut);
  return { saved: sourcesOf([...near, ...further]), leftOut };
}

/** Searches for all words, then for fewer, until there are enough. */
async function findPapers(
  { papers }: GatherPorts,
  words: string[],
  { limit, signal }: Wanted,
): Promise<{ articles: Article[]; leftOut: LeftOut[] }> {
  const known = new Map<string, Article>();
  const errors = new Map<string, string>();
  for (
    let count = Math.min(words.length, MAX_WORDS), tries = 0;
    count > 0 && tries < MAX_SEARCHES;
    count--, tries++
  ) {
    const query = { keywords: words.slice(0, count), maxResults: 30, sources: [...PAPER_SOURCES] };
    const found = await papers.search(query, { signal });
    for (const article of found.articles) if (!known.has(article.id)) known.set(article.id, article);
    for (const [source, reason] of Object.entries(found.errors)) errors.set(source, reason);
    if (known.size >= limit) break;
  }
  const leftOut = [...errors].map(([title, reason]) => ({ title, reason }));
  return { articles: [...known.values()], leftOut };
}

interface NearArticle {
  article: Article;
  saved: SavedSource;
}

function sourcesOf(articles: NearArticle[]): SavedSource[] {
  return [...new Map(articles.map(({ saved }) => [saved.path, saved])).values()];
}

interface FailedArticle {
  article: Article;
  reason: string;
}

/**
 * Saves papers from the best on, until there are enough. If there are too few, saves abstracts of those that couldn't
 * be downloaded. Adds the others to the skipped ones.
 */
async function saveBest(
  ports: GatherPorts,
  workspace: Workspace,
  articles: Article[],
  { most, signal }: { most: number; signal: AbortSignal },
  leftOut: LeftOut[],
): Promise<NearArticle[]> {
  const done: NearArticle[] = [];
  const failed: FailedArticle[] = [];
  const tried = articles.slice(0, most * 2);
  let at = 0;
  while (at < tried.length && done.length < most) {
    const batch = tried.slice(at, at + most - done.length);
    const outcomes = await Promise.all(batch.map((article) => saveOne(ports, workspace, article, signal)));
    for (const [place, outcome] of outcomes.entries()) {
      const article = batch[place] as Article;
      if (typeof outcome === 'string') failed.push({ article, reason: outcome });
      else done.push({ article, saved: outcome });
    }
    at += batch.length;
  }
  done.push(
    ...(await saveAbstracts(ports, workspace, failed, { most: most - done.length, signal }, leftOut)),
  );
  const named = articles.slice(at, at + MAX_NAMED);
  leftOut.push(
    ...named.map(({ title, url }) => ({ title, url, reason: 'Other papers are a closer match.' })),
  );
  return done;
}

/** Returns the saved paper, or why it couldn't be saved. */
async function saveOne(
  ports: GatherPorts,
  workspace: Workspace,
  article: Article,
  signal: AbortSignal,
): Promise<SavedSource | string> {
  try {
    return (await saveArticle(ports, workspace, article, { signal })).saved;
  } catch (error) {
    signal.throwIfAborted();
    return requireRefusal(error).message;
  }
}

/** Single flight, because two questions may need the same abstract at the same time. */
const shareAbstract = singleFlight<SavedSource>();

/** The minimum length of an abstract in characters. A shorter one contains nothing that could be quoted. */
const MIN_ABSTRACT = 200;

async function saveAbstracts(
  ports: GatherPorts,
  workspace: Workspace,
  failed: FailedArticle[],
  { most, signal }: { most: number; signal: AbortSignal },
  leftOut: LeftOut[],
): Promise<NearArticle[]> {
  const done: NearArticle[] = [];
  for (const { article, reason } of failed) {
    const saved = done.length < most ? await saveAbstract(ports, workspace, article, signal) : undefined;
    if (saved !== undefined) done.push({ article, saved });
    else leftOut.push({ title: article.title, url: article.url, reason });
  }
  return done;
}

/** Saves the abstract of a paper that couldn't be downloaded, if it has a useful one. */
async function saveAbstract(
  ports: GatherPorts,
  workspace: Workspace,
  article: Article,
  signal: AbortSignal,
): Promise<SavedSource | undefined> {
  const { title, abstract, url } = article;
  if (abstract.trim().length < MIN_ABSTRACT) return undefined;
  const source = { ...sourceOf(ports, article), title: `${title} (abstract only)` };
  const [identity = url] = identitiesOf(source);
  return shareAbstract(`${workspace.id} ${identity}`, signal, async () => {
    const known = await knownPapers(workspace);
    const bytes = Buffer.from(`# ${title}\n\n${abstract.trim()}\n`);
    const file = { source, bytes, extension: ABSTRACT_EXTENSION };
    return findKnown(known, source) ?? savePaper(ports, workspace, known, file);
  });
}

/** Returns the references of the best paper. Those with more of the words come first. */
async function citedBy(
  { papers }: GatherPorts,
  { id, doi, title, url }: Article,
  words: string[],
  signal: AbortSignal,
  leftOut: LeftOut[],
): Promise<Article[]> {
  try {
    const cited = await papers.references({ doi, arxivId: arxivIdOf(id) }, { signal });
    const wanted = words.flatMap((word) => foldForSearch(word).split(/\s+/));
    const named = ({ title: name, abstract }: Article) => {
      const text = foldForSearch(`${name} ${abstract}`);
      return wanted.filter((word) => text.includes(word)).length;
    };
    return cited.filter((one) => named(one) > 0).toSorted((a, b) => named(b) - named(a));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HubBusy || error instanceof ServiceError)) throw error;
    leftOut.push({ title, url, reason: `Its references couldn't be read: ${error.message}` });
    return [];
  }
}
