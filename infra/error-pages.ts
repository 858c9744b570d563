import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ERROR_CODES, type ErrorCode } from '../lib/error-codes.ts';
import { errorsOf, streamErrorsOf } from '../lib/http/route-errors.ts';
import { ROUTE_GROUPS } from './openapi.ts';

const root = resolve(import.meta.dirname, '..');
const INDEX = 'docs/reference/errors.md';
const FOLDER = 'docs/reference/errors';
const CODES = Object.keys(ERROR_CODES) as ErrorCode[];
/** A code of more operations than this is a property of the API, not of an operation. */
const MANY_OPERATIONS = 60;

type Messages = Record<ErrorCode, string>;

function messagesIn(language: string): Messages {
  return JSON.parse(readFileSync(join(root, `lib/error-messages/${language}.json`), 'utf8')) as Messages;
}

/** Returns the pages of all error codes by their path: the index, and a page per code. A test compares; `npm run errors` writes. */
export function errorPages(): Record<string, string> {
  const english = messagesIn('en');
  const chinese = messagesIn('zh-CN');
  const operations = operationsByCode(errorsOf);
  const streams = operationsByCode(streamErrorsOf);
  const pages = CODES.map((code) => [
    `${FOLDER}/${code}.md`,
    pageOf(code, english[code], chinese[code], whereOf(operations.get(code), streams.get(code))),
  ]);
  return { [INDEX]: indexOf(english), ...Object.fromEntries(pages) };
}

function operationsByCode(codesOf: typeof errorsOf): Map<ErrorCode, string[]> {
  const found = new Map<ErrorCode, string[]>();
  for (const route of Object.values(ROUTE_GROUPS).flat())
    for (const code of codesOf(route)) found.set(code, [...(found.get(code) ?? []), route.operationId]);
  return found;
}

function pageOf(code: ErrorCode, english: string, chinese: string, where: string): string {
  return `# \`${code}\`

An error code of the API, with HTTP status ${ERROR_CODES[code]}. For users who see it, and for developers of clients.

${english}

中文：${chinese}

## Where it occurs

${where} All codes are listed in [Error codes](../errors.md).
`;
}

function whereOf(operations: string[] = [], streams: string[] = []): string {
  const inStreams = streams.length > 0 ? [`In the streams of ${listed(streams)}.`] : [];
  if (operations.length > MANY_OPERATIONS) return `In ${operations.length} operations of the API.`;
  if (operations.length > 0) return [`In ${listed(operations)}.`, ...inStreams].join(' ');
  const elsewhere = ['In runs, tool results, and records of the service, not in an HTTP status.'];
  return [...inStreams, ...elsewhere].join(' ');
}

function listed(operations: string[]): string {
  return operations
    .sort()
    .map((id) => `\`${id}\``)
    .join(', ');
}

function indexOf(english: Messages): string {
  const rows = CODES.map(
    (code) => `| [\`${code}\`](errors/${code}.md) | ${ERROR_CODES[code]} | ${english[code]} |`,
  );
  return `# Error codes

What each error code means and what to do. For developers of clients, and for users who see a code.

## The form of an error

Every response of 400 and above has a JSON body with one field, \`error\`: a sentence for people. Match the code instead.

| Header | Value |
|---|---|
| \`x-error-code\` | The stable code. No code changes its meaning or its status |
| \`x-error-field\` | The field at fault, where one field is: \`steps.0.instruction\` |
| \`x-conversation-leaf\` | With \`conversation_changed\`: the last message of the conversation, as \`parentId\` takes it, percent-encoded |
| \`retry-after\` | Seconds to wait, with 429 and some 409 and 503 |
| \`x-request-id\` | The ID of the request, as in the logs |

In a stream, the part \`error\` is followed by \`data-error\` with \`{code, field?, retryAfter?}\`. The console and \`wrs\` show the code's message in
the user's language, with the service's sentence as detail. Retry 429, 502, 503, and 504 with
backoff; don't retry other codes without a change.

## Slow requests

Some operations may take minutes, such as cloning a repository. The OpenAPI document lists 202 for them. A response within 40
seconds has the status of its result. A slower one starts with 202, which means neither success nor failure:

1. The body is blanks, which JSON allows, so that no proxy ends the connection.
2. Then it has the result: what a fast response has, or \`{error, status, code, field?, retryAfter?}\`. \`status\` and \`code\` are those
   of a fast response.
3. A body that ends without JSON has no result, because the connection was lost. The action may still take effect.

To learn the status of a POST request afterwards, repeat it with the same \`Idempotency-Key\`: 409 means that it still runs, and 201
or 200 that it succeeded. A failed request isn't kept, so it runs again. The console and \`wrs\` read these errors like any other.

## All codes

<!-- Written by npm run errors. Don't edit. -->

| Code | Status | Meaning |
|---|---|---|
${rows.join('\n')}
`;
}

/** Writes the pages, and deletes those of codes that no longer exist. */
export function writeErrorPages(): void {
  const pages = errorPages();
  mkdirSync(join(root, FOLDER), { recursive: true });
  for (const file of globSync(`${FOLDER}/*.md`, { cwd: root }))
    if (!(file in pages)) rmSync(join(root, file));
  for (const [file, text] of Object.entries(pages)) writeFileSync(join(root, file), text);
}

if (import.meta.main) writeErrorPages();
