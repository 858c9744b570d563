import * as z from 'zod';
import { encodedFormats } from '../../formats/all-formats.ts';
import { readIndexStatus } from '../../indexing/read-index-state.ts';
import { isRunning } from '../../indexing/schema.ts';
import type { ScoredPassage, SearchScope } from '../../ports/vectors.ts';
import { MAX_SCOPE_PATHS } from '../../retrieval/scope-schema.ts';
import { type SearchPorts, searchPassages } from '../../retrieval/search.ts';
import { searchNotices } from '../../retrieval/search-notices.ts';
import type { Use } from '../../usage/schema.ts';
import { shownPath, toolPath, workspacePath } from './path.ts';
import { defineTool, type ToolContext } from './tool.ts';

const titles = encodedFormats.map(({ title }) => title).join(', ');

const input = z.strictObject({
  query: z.string().min(1).max(2000).describe('Question or keywords.'),
  limit: z.int().min(1).max(12).default(8).describe('Maximum number of passages.'),
  paths: z
    .array(toolPath)
    .min(1)
    .max(MAX_SCOPE_PATHS)
    .optional()
    .describe('Files and folders to search in. Omit it to search the whole workspace.'),
});

const UNMADE = 'The workspace is not indexed yet';
const LOST = 'The index of the workspace was lost and is rebuilt by the next sync';

export function searchWorkspaceTool({ searchFor }: { searchFor(use: Use): SearchPorts }) {
  return defineTool({
    name: 'searchWorkspace',
    description: `Finds the passages of the indexed files of the workspace (documents, data, code, ${titles}) that best match a question, with keyword and semantic search. To find an exact text, use grep.`,
    input,
    inEveryMode: false,
    ruled: { kind: 'text', argument: ({ query }) => query },
    timeoutMs: 30_000,
    async run({ query, limit, paths }, context) {
      const { workspace, records, use } = context;
      const [found, status] = await Promise.all([
        searchPassages(searchFor(use), workspace.id, query, { scope: scopeOf(context, paths) }),
        readIndexStatus(records, workspace.id),
      ]);
      context.searched?.([...searchNotices(isRunning(status), found)]);
      const { mode, passages } = found;
      if (mode === 'none') return { passages: [], note: `${found.lost ? LOST : UNMADE}. Use grep.` };
      return { passages: passages.slice(0, limit).map((passage) => toShown(context, passage)) };
    },
    rest: () => 'Use a smaller limit, or read the files at these lines.',
  });
}

/** Returns paths in the index's form. The path of the workspace itself sets no limit. */
function scopeOf(context: ToolContext, paths: string[] | undefined): SearchScope {
  const plain = paths?.map((path) => workspacePath(context, path).replace(/\/+$/, ''));
  return plain?.includes('') ? {} : { paths: plain };
}

function toShown(shownIn: ToolContext, { score: _, ...passage }: ScoredPassage) {
  const { path, startLine, endLine, part, context, text } = passage;
  const place = { path: shownPath(shownIn, path), startLine, endLine, ...part };
  return { number: shownIn.numberOf?.(passage), ...place, ...(context && { context }), text };
}
