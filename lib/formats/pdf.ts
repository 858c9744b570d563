import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Unreadable } from '../errors.ts';
import { foldersAbove } from '../isolation/folders-above.ts';
import type { Decoded, Format } from './format.ts';
import { joinParts, type TextPart } from './join-parts.ts';
import { joinLines, type PageLine, withoutRunningLines } from './running-lines.ts';
import { textLimit } from './text-limit.ts';

/** No book has more pages; a forged PDF may claim millions. */
const MAX_PAGES = 5000;

export const pdf: Format<'pdf', 'encoded'> = {
  name: 'pdf',
  version: 4,
  title: 'PDF',
  extensions: ['pdf'],
  signature: '%PDF-',
  mediaType: 'application/pdf',
  content: 'encoded',
  unit: 'page',
  recognizable: 'pdf',
  emptyNote: 'This PDF contains no text: its pages are images.',
};

type Engine = typeof import('unpdf');

export async function decodePdf(engine: Engine, bytes: Uint8Array): Promise<Decoded> {
  return withDocument(engine, bytes, async (document) => joinParts(await readEachPage(document)));
}

/** What a PDF says of itself, as it says it: nothing of it is checked. */
export interface PdfFacts {
  title: string;
  author: string;
  /** May contain the journal and the DOI. */
  subject: string;
  firstPage: string;
}

const MAX_FACT = 2000;
const MAX_FIRST_PAGE = 20_000;

/** Reads the document information and the first page, not the others. */
export async function readPdfFacts(engine: Engine, bytes: Uint8Array): Promise<PdfFacts> {
  return withDocument(engine, bytes, async (document) => {
    const { info } = await document.getMetadata();
    const fact = (name: string) => factOf((info as Record<string, unknown>)[name]);
    const lines = await readLines(document, 1);
    const firstPage = joinLines(lines).toWellFormed().slice(0, MAX_FIRST_PAGE);
    return { title: fact('Title'), author: fact('Author'), subject: fact('Subject'), firstPage };
  });
}

function factOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed().slice(0, MAX_FACT) : '';
}

async function withDocument<Result>(
  engine: Engine,
  bytes: Uint8Array,
  work: (document: Pdf) => Promise<Result>,
): Promise<Result> {
  try {
    const document = await engine.getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      ...predefinedCmaps(),
    });
    try {
      return await work(document);
    } finally {
      await document.loadingTask.destroy();
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    const locked = (error as Error).name === 'PasswordException';
    if (locked)
      throw new Unreadable(
        'encrypted',
        'The PDF file is protected by a password. Remove the protection, then add it again.',
        { cause: error },
      );
    throw new Unreadable('broken', "The PDF file can't be read. It may be damaged.", { cause: error });
  }
}

type Pdf = Awaited<ReturnType<Engine['getDocumentProxy']>>;

/** Reads page after page and watches the sum: a small PDF may unfold without end. */
async function readEachPage(document: Pdf): Promise<TextPart[]> {
  if (document.numPages > MAX_PAGES)
    throw new Unreadable('size', `The PDF file has more than ${MAX_PAGES} pages.`);
  const pages: PageLine[][] = [];
  const count = textLimit(pdf.title);
  for (let number = 1; number <= document.numPages; number++) {
    const lines = await readLines(document, number);
    count(joinLines(lines));
    pages.push(lines);
  }
  return withoutRunningLines(pages).map((text) => ({ text }));
}

async function readLines(document: Pdf, number: number): Promise<PageLine[]> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  const lines: PageLine[] = [];
  let line: PageLine = { text: '' };
  for (const item of items) {
    if (!('str' in item)) continue;
    if (isOnPage(item, page.view)) {
      if (line.place === undefined && item.str.trim() !== '' && page.rotate === 0)
        line.place = placeOnPage(item, page.view);
      line.text += item.str;
    }
    if (!item.hasEOL) continue;
    lines.push(line);
    line = { text: '' };
  }
  return [...lines, line];
}

function placeOnPage({ transform, height }: TextItem, [, bottom = 0, , top = 0]: number[]) {
  const y = transform[5] ?? 0;
  return { fromTop: (top - y) / (top - bottom), fromBottom: (y - bottom) / (top - bottom), height };
}

interface TextItem {
  transform: number[];
  width: number;
  height: number;
}

/** Whether any of it is on the visible page, in any direction of writing: no reader sees the rest. */
function isOnPage(
  { transform, width, height }: TextItem,
  [left = 0, bottom = 0, right = 0, top = 0]: number[],
) {
  const [x = 0, y = 0] = transform.slice(4);
  const reach = Math.max(width, height);
  return !(x + reach < left || x - reach > right || y + reach < bottom || y - reach > top);
}

/**
 * Adobe's CMaps, which map the codes of Chinese, Japanese and Korean PDFs that embed no font of their own. They
 * are next to this file, and at the same place below each build of it (infra/local/build.ts, serverless.yml).
 */
const CMAPS_FOLDER = 'lib/formats/cmaps';

/** Returns what the engine needs to read them; nothing if they are not found. */
function predefinedCmaps(): { cMapUrl?: string } {
  const found = foldersAbove(import.meta.dirname)
    .map((folder) => join(folder, CMAPS_FOLDER))
    .find((folder) => existsSync(folder));
  return found === undefined ? {} : { cMapUrl: `${found}/` };
}
