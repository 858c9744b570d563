import * as z from 'zod';
import type { Records } from '../ports/records.ts';
import { documentsAt } from './documents.ts';

/** The facts that citations and passages carry, so that readers know a document by more than its file name. */
export const namedShape = {
  title: z.string().optional().describe('Title of the document. Absent if only the file name is known.'),
  authors: z.array(z.string()).optional().describe('Authors of the document. Absent if none are known.'),
  year: z.int().optional().describe('Year of the document. Absent if it is not known.'),
};

interface Named {
  title?: string;
  authors?: string[];
  year?: number;
}

/** The maximum number of authors of a citation. The document has all of them. */
const MAX_AUTHORS = 10;

/** Adds the titles, authors, and years of their documents to items with a path. */
export async function withDocumentNames<Item extends { path: string }>(
  records: Records,
  workspaceId: string,
  items: Item[],
): Promise<(Item & Named)[]> {
  if (items.length === 0) return items;
  const paths = items.map(({ path }) => path);
  const documents = await documentsAt(records, workspaceId, paths);
  return items.map((item) => {
    const { title = '', authors = [], year = null } = documents.get(item.path) ?? {};
    const isNamed = title !== '' && !item.path.endsWith(title);
    return {
      ...item,
      ...(isNamed && { title }),
      ...(authors.length > 0 && { authors: authors.slice(0, MAX_AUTHORS) }),
      ...(year !== null && { year }),
    };
  });
}
