import * as z from 'zod';
import type { Reply } from './route.ts';

/** An answer whose status and body the compiler holds against the route's `replies`. */
export function reply<const Status extends number, Body>(
  status: Status,
  body: Body,
  headers: Record<string, string> = {},
): Reply<Status, Body> {
  return { status, body, headers };
}

/** Response of every deletion. */
export const DELETED = { success: true as const };

export const deletedSchema = z
  .strictObject({ success: z.literal(true).describe('Always true.') })
  .meta({ id: 'Deleted' });

/** The body of every answer of 400 and above, but where a protocol has its own. */
export const errorSchema = z
  .strictObject({
    error: z.string().describe('Sentence that explains the error. The header `x-error-code` has its code.'),
  })
  .meta({ id: 'ErrorResponse', description: 'Error response.' });

/** The header that carries the next cursor, when there is one. */
export function pageHeaders(page: { cursor?: string }): Record<string, string> {
  return page.cursor === undefined ? {} : { 'x-next-cursor': page.cursor };
}

/** The answer with a page of a list. */
export function replyPage<Item>(page: { items: Item[]; cursor?: string }): Reply<200, Item[]> {
  return reply(200, page.items, pageHeaders(page));
}

export const NOTHING_IN_PROGRESS = { mediaType: 'text/plain', description: 'Nothing is in progress.' };

/** The answer to a stream to resume, where there is none. */
export function nothingInProgress() {
  return reply(204, '', { 'content-type': 'text/plain' });
}
