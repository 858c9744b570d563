import { UpstreamFailed } from '../errors.ts';
import { formatOfDownload, type KnownFormat } from '../formats/all-formats.ts';
import { extract } from '../formats/extract.ts';
import { chunkText } from '../indexing/read/chunk.ts';
import { sha256 } from '../paths/hash.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import type { Passage } from '../ports/vectors.ts';
import type { Web } from '../ports/web.ts';
import type { WebResult } from '../ports/web-search.ts';
import { type FetchedPage, pagePath } from './save-page.ts';

const MAX_BYTES = 2_000_000;
const FETCH_MS = 8000;
const ACCEPT = 'text/html, application/xhtml+xml, text/markdown;q=0.8, text/plain;q=0.8';
/** Text alone, because the text of other formats can be quoted only after the index has extracted it. */
const READ_TYPES = /^(?:text\/(?:html|markdown|plain)|application\/xhtml\+xml)\s*(?:;|$)/i;
/** The maximum number of passages of a page: about 450,000 characters. */
const MAX_PASSAGES = 300;

/** A page with its passages, which isn't saved yet. */
export interface WebPage extends FetchedPage {
  title: string;
  /** The path that it will be saved at. */
  path: string;
  passages: Passage[];
}

/**
 * Fetches a page that a search found, and splits it into passages as the index would. Throws UpstreamFailed,
 * InvalidInput for a refused URL or unreadable text, and the signal's reason.
 */
export async function readWebPage(
  { web, clock }: { web: Web; clock: Clock },
  { url, title }: WebResult,
  signal: AbortSignal,
): Promise<WebPage> {
  const request = { maxBytes: MAX_BYTES, timeoutMs: FETCH_MS, accept: ACCEPT, signal };
  const { url: finalUrl, status, contentType, bytes } = await web.fetchPublic(url, request);
  const { hostname } = new URL(finalUrl);
  if (status !== 200) throw new UpstreamFailed('web_page_failed', `${hostname} returned status ${status}.`);
  const format = textFormat(bytes, contentType);
  if (format === undefined)
    throw new UpstreamFailed('web_page_failed', `${hostname} returned neither HTML nor text.`);
  const fetched = {
    ...{ url: finalUrl, finalUrl, bytes, extension: format.extensions[0] ?? 'txt' },
    ...{ hash: await sha256(bytes), fetchedAt: timestamp(clock) },
  };
  const path = await pagePath(fetched);
  const chunks = chunkText(await extract(format, bytes)).slice(0, MAX_PASSAGES);
  const passages = chunks.map((chunk, at) => ({ ...chunk, path, chunk: at, fileHash: fetched.hash }));
  return { ...fetched, title, path, passages };
}

function textFormat(bytes: Buffer, contentType: string): KnownFormat | undefined {
  const format = READ_TYPES.test(contentType) ? formatOfDownload(bytes, contentType) : undefined;
  return format?.content === 'encoded' ? undefined : format;
}
