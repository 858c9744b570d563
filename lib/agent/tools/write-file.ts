import * as z from 'zod';
import type { Queue } from '../../ports/queue.ts';
import { toolPath, workspacePath } from './path.ts';
import { saveFile } from './save-file.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  path: toolPath,
  content: z.string(),
  expectedHash: z
    .string()
    .max(64)
    .optional()
    .describe('Hash that the file must have now (`hash` from readFile). Otherwise the call fails.'),
});

export function writeFileTool({ touchQueue }: { touchQueue: Queue }) {
  return defineTool({
    name: 'writeFile',
    description:
      'Creates a text file or replaces a whole one, and creates missing parent directories. To change parts of a file, use editFile.',
    input,
    inEveryMode: false,
    ruled: { kind: 'path', argument: ({ path }) => path },
    timeoutMs: 60_000,
    run({ path, content, expectedHash }, context) {
      return saveFile(touchQueue, context, workspacePath(context, path), content, expectedHash);
    },
  });
}
