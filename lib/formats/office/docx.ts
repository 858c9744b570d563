import type { Decoded, Format } from '../format.ts';
import { pageText } from '../html-page.ts';
import { chainTexts } from '../join-parts.ts';
import { textLimit } from '../text-limit.ts';
import { type Archive, openArchive, type ZipReader } from './archive.ts';
import { readGraphics } from './drawings.ts';
import { countLeft } from './left-parts.ts';
import { type NumberWriter, showNumbers } from './numbers.ts';
import { entryOfType, mainEntry, type Relationship, readRelationships } from './relationships.ts';
import { type TextBlocks, textBlocks } from './text-blocks.ts';
import { readWordParagraphs, UNREAD, type WordParagraph } from './word-paragraphs.ts';
import { collectRunning, writeRunning } from './word-running.ts';
import { readWordStyles, visibleRuns, type WordStyles } from './word-styles.ts';
import { readXml, readXmlSource } from './xml.ts';

export const docx: Format<'docx', 'encoded'> = {
  name: 'docx',
  version: 5,
  title: 'DOCX',
  extensions: ['docx', 'docm', 'dotx', 'dotm'],
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  content: 'encoded',
  unit: 'line',
  emptyNote: 'This document contains no text.',
};

export async function decodeDocx(
  engine: ZipReader,
  bytes: Uint8Array,
  write: NumberWriter,
): Promise<Decoded> {
  const archive = await openArchive(engine, bytes, docx.title);
  const main = await mainEntry(archive);
  const relationships = await readRelationships(archive, main);
  const left = countLeft(relationships);
  const styles = await readWordStyles(archive, entryOfType(relationships, 'styles') ?? '');
  const notes = await readNotes(archive, relationships, styles);
  const asides = { notes, graphics: await readGraphics(archive, relationships, showNumbers(write), left) };
  const chunks = await readChunks(archive, relationships, (entry) => left.put('embedded_objects', entry));
  const count = textLimit(docx.title);
  const [running, blocks] = [textBlocks(count), textBlocks(count)];
  const paragraphs = readWordParagraphs((paragraph) => writeParagraph(blocks, styles, asides, paragraph));
  const sections = collectRunning();
  await readXml(archive, main, {
    skip: UNREAD,
    open(name, attributes, ...place) {
      if (name === 'tbl') blocks.openTable();
      if (name === 'altChunk')
        for (const text of chunks.get(attributes.id ?? '') ?? []) blocks.paragraph(text);
      sections.open(name, attributes);
      paragraphs.open(name, attributes, ...place);
    },
    text: paragraphs.text,
    close(name, end) {
      paragraphs.close(name, end);
      sections.close(name);
      if (name === 'tc') blocks.closeCell();
      if (name === 'tr') blocks.closeRow();
      if (name === 'tbl') blocks.closeTable();
    },
  });
  await writeRunning(archive, relationships, sections.found, { styles, blocks: running });
  const text = chainTexts([running.finish(), blocks.finish()]);
  return { ...text, partStarts: [], left: left.counts() };
}

/** Returns included documents of other formats by relationship ID: the paragraphs of HTML and plain text. */
async function readChunks(
  archive: Archive,
  relationships: Relationship[],
  onUnread: (entry: string) => void,
) {
  const chunks = new Map<string, string[]>();
  for (const { id, type, entry } of relationships) {
    if (type !== 'aFChunk' || !archive.has(entry)) continue;
    const text = await readXmlSource(archive, entry);
    if (/\.x?html?$/i.test(entry)) chunks.set(id, pageText(text).text.split('\n'));
    else if (/\.txt$/i.test(entry)) chunks.set(id, text.split(/\r?\n/));
    else onUnread(entry);
  }
  return chunks;
}

/** Notes outside the text: the ID in a reference shows where to read it. */
const NOTES = { footnotes: 'footnote', endnotes: 'endnote', comments: 'comment' };

type Notes = Map<string, string>;

async function readNotes(
  archive: Archive,
  relationships: Relationship[],
  styles: WordStyles,
): Promise<Notes> {
  const notes: Notes = new Map();
  for (const [type, element] of Object.entries(NOTES)) {
    const entry = entryOfType(relationships, type);
    if (entry !== undefined) await readNotesOf(archive, { entry, element, styles }, notes);
  }
  return notes;
}

async function readNotesOf(
  archive: Archive,
  { entry, element, styles }: { entry: string; element: string; styles: WordStyles },
  notes: Notes,
): Promise<void> {
  const count = textLimit(docx.title);
  let id = '';
  const paragraphs = readWordParagraphs((paragraph) => {
    const text = visibleText(styles, paragraph);
    count(text);
    notes.set(id, [notes.get(id), text.trim()].filter(Boolean).join(' '));
  });
  await readXml(archive, entry, {
    ...paragraphs,
    skip: UNREAD,
    open(name, attributes, ...place) {
      if (name === element) id = `${element} ${attributes.id}`;
      paragraphs.open(name, attributes, ...place);
    },
  });
}

interface Asides {
  notes: Notes;
  /** The lines of charts and diagrams, by ID. */
  graphics: Map<string, string[]>;
}

/** Writes a note or a chart after the paragraph that refers to it. */
function writeParagraph(
  blocks: TextBlocks,
  styles: WordStyles,
  asides: Asides,
  paragraph: WordParagraph,
): void {
  const style = styles.get(paragraph.style) ?? {};
  if (style.isContents) return;
  const { outlineLevel = style.outlineLevel, inList = style.inList } = paragraph;
  const text = visibleText(styles, paragraph);
  if (text === '' && paragraph.text !== '') return;
  if (outlineLevel !== undefined && outlineLevel < 9) blocks.heading(text, outlineLevel + 1);
  else if (inList) blocks.item(text, paragraph.listDepth);
  else blocks.paragraph(text);
  for (const { id } of paragraph.notes) {
    writeNote(blocks, id, asides.notes.get(id));
    for (const line of asides.graphics.get(id.replace('graphic ', '')) ?? []) blocks.line(line);
  }
}

function visibleText(styles: WordStyles, paragraph: WordParagraph): string {
  return visibleRuns(styles, paragraph)
    .map(({ text }) => text)
    .join('');
}

function writeNote(blocks: TextBlocks, id: string, text: string | undefined): void {
  if (text) blocks.paragraph(`${id.startsWith('comment') ? 'Comment' : 'Note'}: ${text}`);
}
