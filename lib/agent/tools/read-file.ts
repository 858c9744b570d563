import * as z from 'zod';
import { type Location, locate } from '../../datasets/mounts.ts';
import { InvalidInput, TooLarge } from '../../errors.ts';
import { decodeText } from '../../formats/decode.ts';
import { extract } from '../../formats/extract.ts';
import { fileKind, MAX_FILE_BYTES } from '../../formats/file-kinds.ts';
import { openInside } from '../../paths/confine.ts';
import { sha256 } from '../../paths/hash.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import { shownPath, toolPath, workspacePath } from './path.ts';
import { defineTool } from './tool.ts';
import { cutWindow, lineUnits } from './window.ts';

const input = z.strictObject({
  path: toolPath,
  offset: z.int().min(1).optional().describe('first line (of a PDF: page), from 1'),
  limit: z.int().min(1).optional().describe('how many lines (of a PDF: pages); default: as many as fit'),
  column: z.int().min(1).optional().describe('where to begin within the first line, from 1'),
});

export function readFileTool() {
  return defineTool({
    name: 'readFile',
    description:
      'Reads a text file, or the text of a PDF. The content is exact and without line numbers, so that any part of it can be given to editFile. Long files come in parts: `next` is what to ask for to read on. `hash` names this version of the file.',
    input,
    readsOnly: true,
    timeoutMs: 90_000,
    async run({ path, ...request }, context) {
      const own = workspacePath(context, path);
      const bytes = await readBytes(await locate(context.records, context.workspace, own));
      const file = { path: shownPath(context, own), hash: await sha256(bytes) };
      if (isPdf(own, bytes)) {
        const { text, pageStarts } = await readPdf(bytes, file.hash);
        const { content, first, last, total, next } = cutWindow(text, pageStarts, request, 'pages');
        const note = text.trim() === '' ? 'this PDF holds no text: its pages are pictures' : undefined;
        return { ...file, content, startPage: first, endPage: last, totalPages: total, next, note };
      }
      const text = readText(bytes);
      const { content, first, last, total, next } = cutWindow(text, lineUnits(text), request);
      return { ...file, content, startLine: first, endLine: last, totalLines: total, next };
    },
  });
}

async function readBytes({ root, path }: Location): Promise<Buffer> {
  const handle = await openInside(root, path);
  try {
    const { size } = await handle.stat();
    if (size > MAX_FILE_BYTES)
      throw new TooLarge('path: over 50 MB; look for what matters with grep, or cut a part out with bash');
    return await readAtMost(handle, size);
  } finally {
    await handle.close();
  }
}

function isPdf(path: string, bytes: Buffer): boolean {
  return fileKind(path) === 'pdf' || bytes.subarray(0, 5).toString('latin1') === '%PDF-';
}

function readText(bytes: Buffer): string {
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  throw new InvalidInput(
    `path: a binary file of ${bytes.length} bytes; only text and PDF can be read (bash can look into others)`,
  );
}

interface PdfText {
  text: string;
  pageStarts: number[];
}

/** A long PDF is read in many parts, one call each, and taking it apart takes seconds. */
const MAX_KEPT = 4;
const kept = new Map<string, PdfText>();

async function readPdf(bytes: Buffer, hash: string): Promise<PdfText> {
  const known = kept.get(hash);
  const pdf = known ?? (await extract('pdf', bytes));
  kept.delete(hash);
  kept.set(hash, { text: pdf.text, pageStarts: pdf.pageStarts });
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return pdf;
}
