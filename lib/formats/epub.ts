import { posix } from 'node:path';
import type { Attributes } from '../text/xml.ts';
import type { Decoded, Format } from './format.ts';
import { pageText } from './html-page.ts';
import { chainTexts, type TextPart } from './join-parts.ts';
import { leftOf } from './left.ts';
import { type Archive, broken, lockedBy, openArchive, type ZipReader } from './office/archive.ts';
import { readBookProperties } from './office/properties.ts';
import { byElement, readXml, readXmlSource } from './office/xml.ts';
import { factsIfReadable } from './stated-facts.ts';
import { textLimit } from './text-limit.ts';

export const epub: Format<'epub', 'encoded'> = {
  name: 'epub',
  version: 7,
  title: 'EPUB',
  extensions: ['epub'],
  mediaType: 'application/epub+zip',
  content: 'encoded',
  unit: 'line',
  emptyNote: 'This book contains no text: its pages are images.',
};

/** An encryption of fonts only. A book without any restriction can have obfuscated fonts (EPUB 3.3, 4.4). */
const OF_FONTS = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'];

export async function decodeEpub(engine: ZipReader, bytes: Uint8Array): Promise<Decoded> {
  const archive = await openArchive(engine, bytes, epub.title);
  if (await isLocked(archive)) throw lockedBy(epub.title, 'the DRM of its seller');
  const entry = await packageEntry(archive);
  const book = await readPackage(archive, entry);
  const titles = await readTitles(archive, book.contents);
  const facts = await factsIfReadable(() => readBookProperties(archive, entry));
  return { ...(await joinChapters(archive, book, titles)), facts };
}

async function isLocked(archive: Archive): Promise<boolean> {
  let locked = false;
  await readXml(archive, 'META-INF/encryption.xml', {
    open(name, { Algorithm: algorithm = '' }) {
      if (name === 'EncryptionMethod' && !OF_FONTS.includes(algorithm)) locked = true;
    },
  });
  return locked;
}

async function packageEntry(archive: Archive): Promise<string> {
  let entry: string | undefined;
  await readXml(archive, 'META-INF/container.xml', {
    open(name, attributes) {
      if (name === 'rootfile') entry ??= attributes['full-path'];
    },
  });
  if (entry === undefined || !archive.has(entry)) throw broken(epub.title);
  return entry;
}

interface Item {
  entry: string;
  type: string;
  /** The ID of the item to read instead if this one isn't text. */
  fallback: string;
}

interface Book {
  title: string;
  /** The chapters in reading order. */
  chapters: Item[];
  /** The chapters' titles: the table of contents of EPUB 3, of EPUB 2, or both. */
  contents: string[];
}

async function readPackage(archive: Archive, entry: string): Promise<Book> {
  const items = new Map<string, Item>();
  const chapters: Item[] = [];
  const contents: string[] = [];
  let text = '';
  let title = '';
  await readXml(archive, entry, {
    text(piece) {
      text += piece;
    },
    close(name) {
      if (name === 'title') title ||= text.replace(/\s+/g, ' ').trim();
    },
    open(name, { id = '', href = '', idref = '', properties = '', fallback = '', 'media-type': type = '' }) {
      text = '';
      if (name === 'item') {
        const target = entryAt(entry, href);
        items.set(id, { entry: target, type, fallback });
        if (properties.split(' ').includes('nav') || type === 'application/x-dtbncx+xml')
          contents.push(target);
      }
      const chapter = name === 'itemref' ? items.get(idref) : undefined;
      if (chapter !== undefined) chapters.push(shownFor(chapter, items));
    },
  });
  return { title, chapters: chapters.filter((chapter) => !contents.includes(chapter.entry)), contents };
}

function shownFor(item: Item, items: Map<string, Item>): Item {
  return isPage(item) ? item : (items.get(item.fallback) ?? item);
}

/** Returns whether its media type is one of pages: XHTML, SVG, and those of the formats before EPUB. */
function isPage({ type }: Item): boolean {
  return type === '' || /xml|html|^text\//i.test(type);
}

/** Resolves a link in an entry: removes its `#place` and decodes `%20`. */
function entryAt(entry: string, href: string): string {
  const [path = ''] = href.split('#');
  return posix.join(posix.dirname(entry), decodeAddress(path));
}

function decodeAddress(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns titles by chapter. A chapter's first title in a table of contents counts: `a` in EPUB 3, `navPoint`
 * in EPUB 2.
 */
type Titles = Map<string, string>;

async function readTitles(archive: Archive, contents: string[]): Promise<Titles> {
  const titles: Titles = new Map();
  for (const entry of contents) await readTitlesOf(archive, entry, titles);
  return titles;
}

async function readTitlesOf(archive: Archive, entry: string, titles: Titles): Promise<void> {
  let title = '';
  let target = '';
  const lead = (href: string | undefined) => {
    target = href === undefined ? '' : entryAt(entry, href);
  };
  const startTitle = () => {
    title = '';
  };
  const keep = () => {
    const name = title.replace(/\s+/g, ' ').trim();
    if (target !== '' && name !== '' && !titles.has(target)) titles.set(target, name);
  };
  await readXml(archive, entry, {
    open: byElement<[Attributes]>({
      a: ({ href }) => {
        startTitle();
        lead(href);
      },
      text: startTitle,
      content: ({ src }) => {
        lead(src);
        keep();
      },
    }),
    text(text) {
      title += text;
    },
    close: byElement({ a: keep }),
  });
}

async function joinChapters(archive: Archive, { title, chapters }: Book, titles: Titles): Promise<Decoded> {
  const count = textLimit(epub.title);
  const pages: TextPart[] = [];
  for (const entry of new Set(chapters.filter(isPage).map((chapter) => chapter.entry))) {
    const page = pageText(asXml(await readXmlSource(archive, entry)));
    const titled = withTitle(page, titles.get(entry));
    if (titled.text.trim() === '') continue;
    count(titled.text);
    pages.push(titled);
  }
  if (pages.length > 0 && !pages[0]?.text.includes(title))
    pages.unshift({ text: title, headings: new Set([0]) });
  const { text, headings } = chainTexts(pages);
  const blocks = [...headings].map((at) => ({ at, kind: 'heading' as const, level: at === 0 ? 1 : 2 }));
  const images = new Set(chapters.filter((chapter) => !isPage(chapter))).size;
  return { text, partStarts: [], headings, blocks, left: leftOf({ images }) };
}

/** A chapter without its own title starts with its title in the table of contents. */
function withTitle(page: ReturnType<typeof pageText>, title: string | undefined): typeof page {
  if (title === undefined || page.headings.size > 0) return page;
  const text = page.text.startsWith(title) ? page.text : `${title}\n\n${page.text}`.trimEnd();
  return { text, headings: new Set([0]) };
}

/** A book's pages are XML, even without a declaration, so an element may be self-closing. */
function asXml(source: string): string {
  return /^\ufeff?\s*<\?xml\b/.test(source) ? source : `<?xml version="1.0"?>${source}`;
}
