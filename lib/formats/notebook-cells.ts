import * as z from 'zod';
import { Unreadable } from '../errors.ts';
import { decodeText } from './decode.ts';
import type { Decoded } from './format.ts';
import { joinParts } from './join-parts.ts';
import { notebook } from './notebook.ts';
import { textLimit } from './text-limit.ts';

/** A text, whole or line by line. */
const lines = z.union([z.string(), z.array(z.string()).transform((parts) => parts.join(''))]).catch('');

const output = z
  .object({
    text: lines.optional(),
    data: z.object({ 'text/plain': lines.optional(), 'text/markdown': lines.optional() }).optional(),
    ename: z.string().optional(),
    evalue: z.string().optional(),
  })
  .catch({});

/** `input` is what the source of a cell was called until 2015. */
const cell = z
  .object({
    cell_type: z.string(),
    source: lines.optional(),
    input: lines.optional(),
    outputs: z.array(output).catch([]).optional(),
  })
  .catch({ cell_type: 'raw' });

const nbformat = z.object({
  cells: z.array(cell).optional(),
  worksheets: z.array(z.object({ cells: z.array(cell) })).optional(),
});

type Cell = z.infer<typeof cell>;

/** Kept apart from the format: its schema would be bundled wherever formats are looked up. */
export async function decodeNotebook(bytes: Uint8Array): Promise<Decoded> {
  const { cells, worksheets = [] } = parseNotebook(decodeText(bytes) ?? '');
  const count = textLimit(notebook.title);
  const parts = (cells ?? worksheets.flatMap((sheet) => sheet.cells)).map((one) => {
    const text = cellText(one);
    count(text);
    return { text, headings: new Set(/^#{1,6} /.test(text) ? [0] : []) };
  });
  return joinParts(parts);
}

function parseNotebook(text: string): z.infer<typeof nbformat> {
  try {
    return nbformat.parse(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch (error) {
    throw new Unreadable('broken', "The Jupyter notebook can't be read.", { cause: error });
  }
}

/** A picture within a text: its bytes as letters. */
const PICTURE = /data:image\/[\w.+-]+;base64,[\w+/=]+/g;

/** Its source and what it printed, without pictures. */
function cellText({ source, input, outputs = [] }: Cell): string {
  const printed = outputs.map(outputText).filter((text) => text !== '');
  const own = (source ?? input ?? '').replace(PICTURE, '').trimEnd();
  return printed.length === 0 ? own : `${own}\n\nOutput:\n${printed.join('\n')}`;
}

/** Colors are for terminals. */
function outputText({ text, data, ename, evalue }: z.infer<typeof output>): string {
  const said =
    text ?? data?.['text/markdown'] ?? data?.['text/plain'] ?? (ename && `${ename}: ${evalue ?? ''}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape begins with one
  return (said ?? '').replace(/\u001b\[[\d;]*[A-Za-z]/g, '').trimEnd();
}
