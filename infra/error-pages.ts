import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ERROR_CODES, type ErrorCode } from '../lib/error-codes.ts';

const root = resolve(import.meta.dirname, '..');
export const ERRORS_PAGE = 'docs/reference/errors.md';
const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

type Messages = Record<ErrorCode, string>;

function messagesIn(language: string): Messages {
  return JSON.parse(readFileSync(join(root, `lib/error-messages/${language}.json`), 'utf8')) as Messages;
}

/** Returns the page of all error codes, with an anchor per code. `npm run errors` writes it; a test compares. */
export function errorsPage(): string {
  const english = messagesIn('en');
  const chinese = messagesIn('zh-CN');
  const rows = CODES.map(
    (code) =>
      `| <a id="${code}"></a>\`${code}\` | ${ERROR_CODES[code]} | ${english[code]} | ${chinese[code]} |`,
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
| \`link\` | The row of the code below, relative to the path of the request, with \`rel="help"\`. Errors of API Gateway itself have none |
| \`x-request-id\` | The ID of the request, as in the logs |

In a stream, the part \`error\` is followed by \`data-error\` with \`{code, field?, retryAfter?}\`. The console and \`wrs\` show the code's message in
the user's language, with the service's sentence as detail and a link to its row. Retry 429, 502, 503, and 504 with
backoff; don't retry other codes without a change.

## Slow requests

Some operations may take minutes, such as cloning a repository. The OpenAPI document lists 202 for them. A response within 40
seconds has the status of its result. A slower one starts with 202, which means neither success nor failure:

1. The body starts with spaces, which JSON allows, so that no proxy ends the connection.
2. Then it has the result: what a fast response has, or \`{error, status, code, field?, retryAfter?}\`. \`status\` and \`code\` are those
   of a fast response.
3. A body that ends without JSON has no result, because the connection was lost. The action may still take effect.

To learn the status of a POST request afterwards, repeat it with the same \`Idempotency-Key\`: 409 means that it still runs, and 201
or 200 that it succeeded. A failed request isn't kept, so it runs again. The console and \`wrs\` read these errors like any other.

## All codes

The OpenAPI document lists the codes of each operation as \`x-error-codes\`. A link to a code is this page's URL with \`#\` and the code.

<!-- Written by npm run errors. Don't edit. -->

| Code | Status | Meaning | 中文 |
|---|---|---|---|
${rows.join('\n')}
`;
}

if (import.meta.main) writeFileSync(join(root, ERRORS_PAGE), errorsPage());
