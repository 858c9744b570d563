import { Unreadable } from '../errors.ts';
import { findOwnFile } from '../isolation/folders-above.ts';
import type { Decoded, Format } from './format.ts';
import { joinParts } from './join-parts.ts';
import { pageLinesOf } from './page-lines.ts';
import { type Annotation, annotationLines, isAttachment, READ_TYPES } from './pdf-annotations.ts';
import { shownTitle } from './pdf-title.ts';
import { joinLines, type PageLine, withoutRunningLines } from './running-lines.ts';
import { factsIfReadable, type StatedFacts, statedFacts } from './stated-facts.ts';
import { textLimit } from './text-limit.ts';

/** The maximum number of pages. No book has more, but a forged PDF may claim millions. */
const MAX_PAGES = 5000;

export const pdf: Format<'pdf', 'encoded'> = {
  name: 'pdf',
  version: 6,
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
  return withDocument(engine, bytes, async (document) => {
    if (document.numPages > MAX_PAGES)
      throw new Unreadable('size', `The PDF file has more than ${MAX_PAGES} pages.`);
    const annotations = await readAnnotations(document);
    const texts = withoutRunningLines(await readEachPage(document, annotations));
    const embedded = Object.keys((await document.getAttachments()) ?? {}).length;
    const count = embedded + annotations.filter(isAttachment).length;
    return {
      ...joinParts(texts.map((text) => ({ text }))),
      ...(count > 0 && { left: [{ kind: 'attachments', count }] }),
      facts: await factsIfReadable(() => readStated(document)),
    };
  });
}

/** Reads the properties and XMP of a PDF, and the title that its first page shows. */
async function readStated(document: Pdf): Promise<StatedFacts> {
  const { info: fields, metadata } = await document.getMetadata();
  const info = fields as Record<string, unknown>;
  const { items, view } = await readItems(document, 1);
  const xmp = (name: string): unknown => metadata?.get(name) ?? undefined;
  return statedFacts({
    title: xmp('dc:title') ?? info.Title,
    authors: xmp('dc:creator') ?? info.Author,
    date: xmp('prism:publicationdate') ?? info.CreationDate,
    identifiers: [xmp('prism:doi'), xmp('dc:identifier'), info.doi, info.Subject, info.Title],
    programs: [info.Creator, info.Producer],
    shownTitle: shownTitle(items, view),
  });
}

/** The PDF's own information, unchecked. */
export interface PdfFacts {
  title: string;
  author: string;
  /** May contain the journal and the DOI. */
  subject: string;
  firstPage: string;
}

const MAX_FACT = 2000;
const MAX_FIRST_PAGE = 20_000;

/** Reads the document information and the first page, but no other pages. */
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

/** Reads page by page with a total limit, because a small PDF may expand endlessly. */
async function readEachPage(document: Pdf, annotations: Annotation[]): Promise<PageLine[][]> {
  const ofPages = Map.groupBy(annotations, ({ pageIndex }) => pageIndex);
  const pages: PageLine[][] = [];
  const count = textLimit(pdf.title);
  for (let number = 1; number <= document.numPages; number++) {
    const beside = annotationLines(ofPages.get(number - 1) ?? []);
    const lines = [...(await readLines(document, number)), ...beside.map((text) => ({ text }))];
    count(joinLines(lines));
    pages.push(lines);
  }
  return pages;
}

async function readLines(document: Pdf, number: number): Promise<PageLine[]> {
  const { items, ...page } = await readItems(document, number);
  return pageLinesOf(items, page);
}

async function readItems(document: Pdf, number: number) {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return { items: items.filter((item) => 'str' in item), view: page.view, rotate: page.rotate };
}

async function readAnnotations(document: Pdf): Promise<Annotation[]> {
  // The engine returns nothing if the catalog is unreadable, and can't skip pages.
  const read = document.getAnnotationsByType as (types: Set<number>) => Promise<Annotation[] | null>;
  return (await read.call(document, READ_TYPES)) ?? [];
}

/**
 * Adobe's CMaps, which map the codes in Chinese, Japanese, and Korean PDFs without embedded fonts. They are
 * next to this file, and at the same path below each build of it (infra/local/build.ts, serverless.yml).
 */
const CMAPS_FOLDER = 'lib/formats/cmaps';

/** Returns the engine's option for reading the CMaps; empty if they are missing. */
function predefinedCmaps(): { cMapUrl?: string } {
  const found = findOwnFile(import.meta.dirname, CMAPS_FOLDER);
  return found === undefined ? {} : { cMapUrl: `${found}/` };
}
