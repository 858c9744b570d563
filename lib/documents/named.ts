import * as z from 'zod';
import type { Records } from '../ports/records.ts';
import { documentsAt } from './documents.ts';
import type { FactSources } from './fact-sources.ts';
import { type FileOrigin, originSchema, provenancesOf } from './provenance.ts';
import type { Document } from './schema.ts';

/** The facts in citations and passages that tell readers more about a document than its file name. */
export const namedShape = {
  title: z.string().optional().describe('Title of the document. Absent if only the file name is known.'),
  authors: z.array(z.string()).optional().describe('Authors of the document. Absent if none are known.'),
  year: z.int().optional().describe('Year of the document. Absent if it is not known.'),
  source: originSchema
    .optional()
    .describe('Web page that the service saved as this file. Absent for other files.'),
};

interface Named {
  title?: string;
  authors?: string[];
  year?: number;
  source?: FileOrigin;
}

/** The maximum number of authors in a citation. The document itself has all of them. */
const MAX_AUTHORS = 10;

interface Placed {
  path: string;
  /** Absent for the first workspace that the caller names. */
  workspaceId?: string | undefined;
  /** Absent if the origin of the contents isn't wanted. */
  fileHash?: string | undefined;
}

/** Adds to each item the title, authors, and year of the document at its path, and the page it was saved from. */
export async function withDocumentNames<Item extends Placed>(
  records: Records,
  workspaces: FactSources | readonly FactSources[],
  items: Item[],
): Promise<(Item & Named)[]> {
  const named = [workspaces].flat();
  const idOf = ({ workspaceId = named[0]?.id }: Placed) => workspaceId;
  const groups = Map.groupBy(items, idOf);
  const read = await Promise.all(
    named.map(async (workspace) => {
      const group = groups.get(workspace.id) ?? [];
      const paths = group.map(({ path }) => path);
      const asked = provenancesOf(records, workspace, group);
      const known = group.every(({ fileHash }) => fileHash !== undefined) ? asked : undefined;
      const [documents, origins] = await Promise.all([documentsAt(records, workspace, paths, known), asked]);
      return [workspace.id, { documents, origins }] as const;
    }),
  );
  const known = new Map<string | undefined, (typeof read)[number][1]>(read);
  return items.map((item) => {
    const { documents, origins } = known.get(idOf(item)) ?? {};
    const origin = origins?.get(item.fileHash ?? '');
    const source = origin && { url: origin.url, fetchedAt: origin.fetchedAt };
    return { ...item, ...nameOf(documents?.get(item.path)), ...(source && { source }) };
  });
}

function nameOf(document: Document | undefined): Named {
  if (document === undefined) return {};
  const { path, title, authors, year } = document;
  return {
    ...(!path.endsWith(title) && { title }),
    ...(authors.length > 0 && { authors: authors.slice(0, MAX_AUTHORS) }),
    ...(year !== null && { year }),
  };
}
