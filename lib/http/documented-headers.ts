/** Headers that only some routes read. A route lists its own in `requestHeaders`. */
export const REQUEST_HEADERS = {
  'Last-Event-ID': 'Number of the last event that you received. `after` takes precedence.',
  Range: 'Bytes to return, such as `bytes=0-1023`. The response is then 206.',
  'x-ai-sdk-version':
    'Major version of the AI SDK that reads the stream: 5, 6, or 7. It selects the parts for approvals. Any other version is refused.',
} as const;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Headers that only some responses have. A route lists its own in `replyHeaders`. */
export const REPLY_HEADERS = {
  'content-disposition': 'File name to save the body under.',
  etag: 'Version of the resource, for `If-Match` or `If-None-Match`.',
  'x-run-id': 'ID of the run.',
  'x-search-mode': 'How the passages were found: `hybrid`, `lexical`, or `none`.',
  'x-search-fallback':
    'Why only keyword search was used: `not-configured` (semantic search is not set up), `failed` (the embedding service failed), or `other-index` (the index was built without the current embedding model; sync the workspace).',
  'x-search-near':
    'Whether the best passage is close to the question: `true` or `false`. Absent if nothing was found.',
} as const;

export type ReplyHeader = keyof typeof REPLY_HEADERS;
