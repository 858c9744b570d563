import * as z from 'zod';

/** `limit` and `cursor` of every list. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.string().optional().describe('from the header x-next-cursor of the page before'),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** The header that carries the next cursor, when there is one. */
export function pageHeaders(page: { cursor?: string }): Record<string, string> {
  return page.cursor === undefined ? {} : { 'x-next-cursor': page.cursor };
}
