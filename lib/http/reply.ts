import * as z from 'zod';
import type { Reply } from './route.ts';

/** Returns a response whose status and body the compiler checks against the route's `replies`. */
export function reply<const Status extends number, Body>(
  status: Status,
  body: Body,
  headers: Record<string, string> = {},
): Reply<Status, Body> {
  return { status, body, headers };
}

/** The response to every deletion. */
export const DELETED = { success: true as const };

export const deletedSchema = z
  .strictObject({ success: z.literal(true).describe('Always true.') })
  .meta({ id: 'Deleted' });

/** The body of every response from 400 on, unless a protocol has its own. */
export const errorSchema = z
  .strictObject({
    error: z.string().describe('Sentence that explains the error. The header `x-error-code` has its code.'),
  })
  .meta({ id: 'ErrorResponse', description: 'Error response.' });

/** Returns the header with the next cursor, if there is one. */
export function pageHeaders(page: { cursor?: string }): Record<string, string> {
  return page.cursor === undefined ? {} : { 'x-next-cursor': page.cursor };
}

/** Returns the response with a page of a list. */
export function replyPage<Item>(page: { items: Item[]; cursor?: string }): Reply<200, Item[]> {
  return reply(200, page.items, pageHeaders(page));
}

export const NOTHING_IN_PROGRESS = { mediaType: 'text/plain', description: 'Nothing is in progress.' };

/** Returns the response if there is no stream to resume. */
export function nothingInProgress() {
  return reply(204, '', { 'content-type': 'text/plain' });
}
