import * as z from 'zod';
import { requireWritable } from '../../datasets/links/mounts.ts';
import { Conflict, InvalidInput } from '../../errors.ts';
import { readWhole } from '../../files/read.ts';
import { requireUtf8 } from '../../files/write-text.ts';
import type { Queue } from '../../ports/queue.ts';
import { applyEdits } from './edits.ts';
import { toolPath, workspacePath } from './path.ts';
import { saveFile } from './save-file.ts';
import { defineTool } from './tool.ts';

const editSchema = z.strictObject({
  oldText: z
    .string()
    .min(1)
    .describe('Text to replace, exactly as in the file, including whitespace. It must occur exactly once.'),
  newText: z.string(),
  replaceAll: z.boolean().default(false).describe('Whether to replace every occurrence.'),
});

const input = z.strictObject({
  path: toolPath,
  edits: z
    .array(editSchema)
    .min(1)
    .max(100)
    .describe('Edits, applied in order. If one fails, none is applied.'),
  expectedHash: z
    .string()
    .max(64)
    .optional()
    .describe('Hash that the file must have now (`hash` from readFile). Otherwise the call fails.'),
});

export function editFileTool({ touchQueue }: { touchQueue: Queue }) {
  return defineTool({
    name: 'editFile',
    description:
      'Replaces exact parts of a UTF-8 text file of at most 5 MB. Returns, for each edit, the number of replacements and their line numbers in the file after that edit.',
    input,
    inEveryMode: false,
    ruled: { kind: 'path', argument: ({ path }) => path },
    ruledAs: 'writeFile',
    timeoutMs: 60_000,
    async run({ path, edits, expectedHash }, context) {
      const own = workspacePath(context, path);
      await requireWritable(context.records, context.workspace.id, own);
      const { content, encoding, hash } = await readWhole(context.workspace.rootPath, own);
      requireUtf8({ encoding });
      if (encoding !== 'utf-8')
        throw new InvalidInput('file_binary', "path isn't UTF-8 text, so it can't be edited.", {
          field: 'path',
        });
      if (expectedHash !== undefined && expectedHash !== hash)
        throw new Conflict(
          'changed_since_read',
          "expectedHash isn't the current version of the file. Read the file again.",
          { field: 'expectedHash' },
        );
      const { text, changes } = applyEdits(content, edits);
      return { ...(await saveFile(touchQueue, context, own, text, hash)), changes };
    },
  });
}
