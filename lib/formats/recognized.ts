import type { Objects } from '../ports/objects.ts';
import type { KnownFormat } from './all-formats.ts';
import type { Extracted } from './extract.ts';
import { recognizedKey } from './extract-key.ts';
import type { Format } from './format.ts';
import { joinParts, splitParts } from './join-parts.ts';
import type { FileVersion } from './stored-source.ts';

/** The OCR text of a file's pages, by page number from 1; empty for a page without text. */
export type RecognizedPages = Record<number, string>;

export function isRecognizable(format: KnownFormat): boolean {
  return recognizedAs(format) !== undefined;
}

/** The format in which OCR reads the file's parts; undefined if OCR reads nothing in it. */
export function recognizedAs(format: KnownFormat): Format['recognizable'] {
  return (format as Format).recognizable;
}

/** Returns the numbers, from 1, of the pages without text, in which OCR may find some. */
export function textlessPages(extracted: Extracted): number[] {
  if (!isRecognizable(extracted.format)) return [];
  return splitParts(extracted).flatMap((text, index) => (text.trim() === '' ? [index + 1] : []));
}

/** Returns the same file with the OCR text of its images, if any. */
export function withRecognized(extracted: Extracted, pages: RecognizedPages): Extracted {
  const recognized: number[] = [];
  const parts = splitParts(extracted).map((own, index) => {
    const text = pages[index + 1];
    if (text === undefined || text.trim() === '') return { text: own };
    recognized.push(index + 1);
    return { text };
  });
  if (recognized.length === 0) return extracted;
  const { text, partStarts } = joinParts(parts);
  return { ...extracted, source: text, text, partStarts, recognized };
}

interface StoredPages {
  by: string;
  pages: RecognizedPages;
}

/** Returns this OCR engine's text so far for the file. */
export async function readRecognized(
  objects: Objects,
  { workspaceId, hash }: FileVersion,
  by: string,
): Promise<RecognizedPages> {
  const bytes = await objects.getBytes(recognizedKey(workspaceId, hash));
  if (bytes === undefined) return {};
  const stored = JSON.parse(Buffer.from(bytes).toString()) as StoredPages;
  return stored.by === by ? stored.pages : {};
}

export async function storeRecognized(
  objects: Objects,
  { workspaceId, hash }: FileVersion,
  stored: StoredPages,
): Promise<void> {
  await objects.put(recognizedKey(workspaceId, hash), Buffer.from(JSON.stringify(stored)));
}
