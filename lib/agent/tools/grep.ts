import * as z from 'zod';
import type { TextSearch } from '../../ports/text-search.ts';
import { shownPath, toolPath, workspacePath } from './path.ts';
import { defineTool } from './tool.ts';

const SEARCH_MS = 15_000;

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(2000)
    .describe(
      "a regular expression of Rust's regex syntax, for one line; escape what is meant literally: foo\\(",
    ),
  path: toolPath.default('').describe('a directory or a file; empty is the working directory'),
  include: z
    .array(z.string().min(1).max(200))
    .max(20)
    .optional()
    .describe('globs of the files to look at: ["*.ts", "!*.test.ts"]'),
  ignoreCase: z.boolean().default(false),
  context: z.int().min(0).max(10).default(0).describe('lines to show before and after each match'),
  limit: z.int().min(1).max(500).default(100).describe('matches at most'),
});

export function grepTool({ textSearch }: { textSearch: TextSearch }) {
  return defineTool({
    name: 'grep',
    description:
      'Searches the text of files by regular expression. Files that .gitignore names, hidden ones (unless path or include name them), binaries and files over 256 MB are left out. Answers each matching line with its path and line number; `truncated` says that there are more.',
    input,
    readsOnly: true,
    timeoutMs: SEARCH_MS + 5000,
    async run({ path, limit, ...request }, context) {
      const { matches, truncated } = await textSearch.search({
        ...request,
        root: context.workspace.rootPath,
        path: workspacePath(context, path),
        maxMatches: limit,
        timeoutMs: SEARCH_MS,
        signal: context.signal,
      });
      const shown = matches.map((match) => ({ ...match, path: shownPath(context, match.path) }));
      return { matches: shown, truncated };
    },
    rest: () => 'Search a smaller path, with include, or for a narrower pattern.',
  });
}
