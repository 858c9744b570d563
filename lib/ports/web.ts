import type { ErrorCode } from '../error-codes.ts';

/** Error codes for a page that couldn't be fetched. */
export const WEB_ERRORS = [
  'host_unreachable',
  'invalid_url',
  'url_not_public',
  'web_page_failed',
] as const satisfies ErrorCode[];

/** The public internet, at URLs that a user or a model gave. */
export interface Web {
  /**
   * Fetches a URL, following redirects, but never from a private address (SSRF protection): all addresses of
   * a host name are checked, and the connection uses one of these. Returns any status, with its body. Throws
   * InvalidInput for a refused URL, UpstreamFailed if the response doesn't arrive in time or is too long, and
   * the signal's reason.
   */
  fetchPublic(url: string, request: WebRequest): Promise<WebAnswer>;
}

/** Receivers on the public internet, at URLs that an administrator gave. */
export interface WebhookPost {
  /**
   * Sends a POST request, guarded like `fetchPublic`. Follows no redirect, and doesn't read the body of the response.
   * Throws InvalidInput for a refused URL, and UpstreamFailed if no response arrives in time.
   */
  postPublic(url: string, request: PostRequest): Promise<PostAnswer>;
}

export interface PostRequest extends Pick<WebRequest, 'timeoutMs' | 'allowHttp'> {
  headers: Record<string, string>;
  body: string;
}

export interface PostAnswer {
  status: number;
  /** The header `retry-after`; null if there is none. */
  retryAfter: string | null;
}

export interface WebRequest {
  /** Maximum bytes of the body after decompression; a longer response is aborted. */
  maxBytes: number;
  /** Milliseconds for the whole request, including DNS, redirects, and the body. */
  timeoutMs: number;
  /** Media types, as in the header; by default anything. */
  accept?: string;
  /** Allows plain http, including a redirect from https to it. */
  allowHttp?: boolean;
  /**
   * Called for each URL, including redirects, before its host name is resolved; throws for a URL that may not be
   * visited.
   */
  check?: ((url: URL) => void) | undefined;
  signal?: AbortSignal;
}

export interface WebAnswer {
  /** The final URL. */
  url: string;
  status: number;
  /** The content type as sent; empty if there was none. */
  contentType: string;
  bytes: Buffer;
}
