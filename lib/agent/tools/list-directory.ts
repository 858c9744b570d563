import * as z from 'zod';
import { browseMounted } from '../../files/browse-mounted.ts';
import { shownPath, toolPath, workspacePath } from './path.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  path: toolPath.default('').describe('Directory to list. Empty for the working directory.'),
  hidden: z.boolean().default(false).describe('Whether to include names that begin with a dot.'),
  limit: z.int().min(1).max(200).default(200),
  cursor: z.string().max(2000).optional().describe('`next` from the previous result.'),
});

export function listDirectoryTool() {
  return defineTool({
    name: 'listDirectory',
    description:
      'Lists a directory: directories first, then files with their sizes in bytes, sorted by name. The result has `next` if there are more entries.',
    input,
    inEveryMode: true,
    ruled: { kind: 'path', argument: ({ path }) => path },
    timeoutMs: 30_000,
    async run({ path, ...query }, context) {
      const own = workspacePath(context, path);
      const page = { path: own, ...query };
      const { items, cursor } = await browseMounted(context.records, context.workspace, page);
      const entries = items.map(({ name, type, size }) =>
        type === 'file' ? { name, type, size } : { name, type },
      );
      return { path: shownPath(context, own), entries, next: cursor };
    },
    rest: () => 'Use a smaller limit.',
  });
}
