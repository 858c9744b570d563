import * as z from 'zod';
import { type Location, locate, mountPath, mountsBelow } from '../../datasets/links/mounts.ts';
import { NotFound } from '../../errors.ts';
import { encodedFormats } from '../../formats/all-formats.ts';
import type { TextSearchResult } from '../../ports/text-search.ts';
import { encodedExtensions, type GrepPorts, isEncoded, searchDocuments } from './grep-documents.ts';
import { shownPath, toolPath, workspacePath } from './path.ts';
import { defineTool, type ToolContext } from './tool.ts';

const SEARCH_MS = 15_000;

const encodedTitles = encodedFormats.map(({ title }) => title);

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(2000)
    .describe(
      "Regular expression in Rust's regex syntax, matched per line. Escape literal characters: foo\\(.",
    ),
  path: toolPath.default('').describe('Directory or file to search. Empty for the working directory.'),
  include: z
    .array(z.string().min(1).max(200))
    .max(20)
    .optional()
    .describe('Globs of the files to search, such as ["*.ts", "!*.test.ts"].'),
  ignoreCase: z.boolean().default(false),
  context: z.int().min(0).max(10).default(0).describe('Number of lines to show before and after each match.'),
  limit: z.int().min(1).max(500).default(100).describe('Maximum number of matches.'),
});

type Request = Omit<z.output<typeof input>, 'path' | 'limit'>;

export function grepTool(ports: GrepPorts) {
  return defineTool({
    name: 'grep',
    description: `Searches the text of files by regular expression, including the text of documents (${encodedTitles.join(', ')}). Files in .gitignore, hidden files (unless path or include names them), binary files, and files over 256 MB are skipped. Returns each matching line with its path and line number, or with its part of the document. \`truncated\` means that there are more matches, and \`note\` lists what was not searched.`,
    input,
    inEveryMode: true,
    ruled: { kind: 'tree', argument: ({ path }) => path },
    timeoutMs: SEARCH_MS + 10_000,
    async run({ path, limit, ...request }, context) {
      const deadline = Date.now() + SEARCH_MS;
      const places = await placesOf(context, workspacePath(context, path));
      const found = await searchFiles(ports, context, places, { request, limit, deadline });
      if (found.truncated) return found;
      const rest = { request, limit: limit - found.matches.length, deadline };
      const documents = await searchDocuments(ports, context, places, rest);
      const seen = new Set(found.matches.map((match) => `${match.line} ${match.path}`));
      const more = documents.matches.filter((match) => !seen.has(`${match.line} ${match.path}`));
      return { ...documents, matches: [...found.matches, ...more] };
    },
    rest: () => 'Search a smaller path, use include, or use a narrower pattern.',
  });
}

/** Searches the files that are plain text. */
async function searchFiles(
  { textSearch }: GrepPorts,
  context: ToolContext,
  places: Location[],
  { request, limit, deadline }: { request: Request; limit: number; deadline: number },
): Promise<TextSearchResult> {
  const found: TextSearchResult = { matches: [], truncated: false };
  for (const { root, path: place, prefix } of places) {
    if (isEncoded(place)) continue;
    const maxMatches = limit - found.matches.length;
    const timeoutMs = deadline - Date.now();
    if (maxMatches <= 0 || timeoutMs <= 0) return { ...found, truncated: true };
    const limits = { maxMatches, timeoutMs, signal: context.signal };
    const { matches, truncated } = await textSearch
      .search({ ...request, root, path: place, exclude: encodedExtensions, ...limits })
      .catch((error: unknown) => {
        // A linked dataset doesn't need a directory `datasets` on disk.
        if (error instanceof NotFound && places.length > 1) return { matches: [], truncated: false };
        throw error;
      });
    found.matches.push(
      ...matches.map((match) => ({ ...match, path: shownPath(context, prefix + match.path) })),
    );
    found.truncated ||= truncated;
  }
  return found;
}

/** Returns where the path leads, and the datasets linked below it. */
async function placesOf({ records, workspace }: ToolContext, path: string): Promise<Location[]> {
  const own = await locate(records, workspace, path);
  const mounts = own.prefix === '' ? await mountsBelow(records, workspace.id, path) : [];
  return [own, ...mounts.map(({ name, root }) => ({ root, path: '', prefix: `${mountPath(name)}/` }))];
}
