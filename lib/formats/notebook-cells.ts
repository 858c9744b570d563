import { type NotebookCell, type NotebookOutput, notebookCells } from '../api-contract/notebook-cells.ts';
import { Unreadable } from '../errors.ts';
import { decodeText } from './decode.ts';
import type { Decoded } from './format.ts';
import { joinParts } from './join-parts.ts';
import { notebook } from './notebook.ts';
import { type StatedFacts, statedFacts } from './stated-facts.ts';
import { textLimit } from './text-limit.ts';

/** Separate from the format, which is in every bundle that looks formats up. */
export async function decodeNotebook(bytes: Uint8Array): Promise<Decoded> {
  const text = decodeText(bytes) ?? '';
  const cells = notebookCells(text);
  if (cells === undefined) throw new Unreadable('broken', "The Jupyter notebook can't be read.");
  const count = textLimit(notebook.title);
  const parts = cells.map((cell) => {
    const shown = cellText(cell);
    count(shown);
    return { text: shown, headings: new Set(/^#{1,6} /.test(shown) ? [0] : []) };
  });
  return { ...joinParts(parts), facts: factsOf(text) };
}

/** Returns the title and authors from nbformat's own metadata. */
function factsOf(json: string): StatedFacts {
  const { metadata } = JSON.parse(json.replace(/^\ufeff/, '')) as { metadata?: unknown };
  const { title, authors } = (metadata ?? {}) as Record<string, unknown>;
  const names = Array.isArray(authors) ? authors.slice(0, 100).map((one) => one?.name) : undefined;
  return statedFacts({ title, authors: names, isPublished: true });
}

/** An image embedded in a text as Base64. */
const PICTURE = /data:image\/[\w.+-]+;base64,[\w+/=]+/g;

/** Returns a cell's source and output, without images. */
function cellText({ source, outputs }: NotebookCell): string {
  const printed = outputs.map(outputText).filter((text) => text !== '');
  const own = source.replace(PICTURE, '').trimEnd();
  return printed.length === 0 ? own : `${own}\n\nOutput:\n${printed.join('\n')}`;
}

function outputText({ text, markdown, error }: NotebookOutput): string {
  return (markdown ?? text ?? error?.message ?? '').trimEnd();
}
