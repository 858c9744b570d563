import type { ErrorCode } from '../error-codes.ts';
import { InvalidInput, UNREADABLE_ERRORS, UpstreamFailed } from '../errors.ts';
import { formatOfDownload } from '../formats/all-formats.ts';
import { extract } from '../formats/extract.ts';
import { HubBusy } from '../ports/hub.ts';
import type { PaperAddress, PaperFile, Papers, PaperText } from '../ports/papers.ts';
import type { Web, WebAnswer } from '../ports/web.ts';
import { WEB_ERRORS } from '../ports/web.ts';
import { arxivIdOf } from '../text/paper-identifiers.ts';
import { type AskPorts, rateOf } from './ask-source.ts';
import { type HostPorts, visitRule } from './hosts.ts';
import { isAtArxiv, pdfAddress } from './identity.ts';
import { withRateLimit } from './shared-rate-limiter.ts';

/** Error codes for downloading a paper. */
export const PAPER_DOWNLOAD_ERRORS = [
  ...UNREADABLE_ERRORS,
  ...WEB_ERRORS,
  'paper_has_no_text',
  'paper_host_not_allowed',
  'paper_source_failed',
] as const satisfies ErrorCode[];

const MAX_BYTES = 30 * 1024 * 1024;
const DOWNLOAD_MS = 30_000;
const ACCEPT = 'application/pdf, text/html;q=0.8, text/plain;q=0.7, */*;q=0.1';
/** Number of papers to cache. A paper is read in many calls, one for each part. */
const MAX_CACHED = 8;
const MAX_CACHED_CHARACTERS = 8 * 1024 * 1024;
const TTL_MS = 15 * 60_000;

export interface ReadPorts extends AskPorts, HostPorts {
  web: Web;
}

interface CachedPaper {
  paper: PaperText;
  until: number;
}

/**
 * Reads the paper at `pdfUrl`, otherwise at `url`. For a page of arXiv or Hugging Face, reads arXiv's PDF.
 * Throws InvalidInput for a URL that is refused (hosts.ts) or contains nothing to read, UpstreamFailed, and
 * the signal's reason.
 */
export function paperReader(ports: ReadPorts): Papers['read'] {
  const cached = new Map<string, CachedPaper>();
  return async (address, { signal } = {}) => {
    const addresses = readableAddresses(address);
    const key = addresses.join(' ');
    const known = cached.get(key);
    if (known !== undefined && ports.clock.now() < known.until) return known.paper;
    const { url, text } = await readFirst(ports, addresses, signal);
    const paper = { url, text };
    cache(cached, key, { paper, until: ports.clock.now() + TTL_MS });
    return paper;
  };
}

/** Like paperReader, but also returns the bytes, which aren't cached here. */
export function paperFetcher(ports: ReadPorts): Papers['fetch'] {
  return (address, { signal } = {}) => readFirst(ports, readableAddresses(address), signal);
}

function readableAddresses({ url, pdfUrl }: PaperAddress): string[] {
  return [...new Set([pdfUrl ?? url, url].map(readableAddress))];
}

function readableAddress(address: string): string {
  const arxivId = /^https?:/i.test(address) ? arxivIdOf(address) : null;
  return arxivId === null ? address : pdfAddress(arxivId);
}

/** Reads the first URL, or the second if the first has no paper. A PDF may have moved, or need a login. */
async function readFirst(ports: ReadPorts, addresses: string[], signal?: AbortSignal): Promise<PaperFile> {
  const [address = '', ...others] = addresses;
  try {
    return await readPaper(ports, address, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (others.length === 0) throw error;
    return readFirst(ports, others, signal).catch(() => {
      throw error;
    });
  }
}

async function readPaper(ports: ReadPorts, address: string, signal?: AbortSignal): Promise<PaperFile> {
  const { url, status, bytes, contentType } = await download(ports, address, signal);
  const { hostname } = new URL(url);
  if (status !== 200)
    throw new UpstreamFailed('web_page_failed', `${hostname} failed with status ${status}.`);
  const format = formatOfDownload(bytes, contentType);
  const { text } = await extract(format, bytes);
  if (text.trim() === '')
    throw new InvalidInput(
      'paper_has_no_text',
      `url leads to a paper without text at ${hostname}. It may contain only images.`,
      { field: 'url' },
    );
  return { url, text, bytes, extension: `.${format.extensions[0] ?? 'txt'}` };
}

async function download(ports: ReadPorts, address: string, signal?: AbortSignal): Promise<WebAnswer> {
  const check = await visitRule(ports, address);
  signal?.throwIfAborted();
  const request = { maxBytes: MAX_BYTES, accept: ACCEPT, allowHttp: true, check, signal };
  const rate = isAtArxiv(address) ? rateOf(ports, 'preprint_server', 'arXiv') : undefined;
  if (rate === undefined) return ports.web.fetchPublic(address, { ...request, timeoutMs: DOWNLOAD_MS });
  const outer = signal ?? new AbortController().signal;
  try {
    return await withRateLimit(
      ports,
      { ...rate, slotMs: DOWNLOAD_MS },
      { ready: async () => undefined, signal: outer },
      (slot) => ports.web.fetchPublic(address, { ...request, timeoutMs: Math.max(1, slot.timeLeftMs()) }),
    );
  } catch (error) {
    if (error instanceof HubBusy)
      throw new UpstreamFailed('paper_source_failed', error.message, { cause: error });
    throw error;
  }
}

/** Caches a paper, and evicts the oldest entries. */
function cache(cached: Map<string, CachedPaper>, key: string, one: CachedPaper): void {
  cached.delete(key);
  cached.set(key, one);
  const size = () => [...cached.values()].reduce((sum, { paper }) => sum + paper.text.length, 0);
  for (const oldest of cached.keys()) {
    if (cached.size <= MAX_CACHED && size() <= MAX_CACHED_CHARACTERS) return;
    cached.delete(oldest);
  }
}
