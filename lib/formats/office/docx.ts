import type { Decoded, Format } from '../format.ts';
import { pageText } from '../html-page.ts';
import { chainTexts } from '../join-parts.ts';
import { factsIfReadable } from '../stated-facts.ts';
import { textLimit } from '../text-limit.ts';
import type { Archive, ZipReader } from './archive.ts';
import { readGraphics } from './drawings.ts';
import { countLeft } from './left-parts.ts';
import { type NumberWriter, showNumbers } from './numbers.ts';
import { readCoreProperties } from './properties.ts';
import type { Relationship } from './relationships.ts';
import { type TextBlocks, textBlocks } from './text-blocks.ts';
import { openWord, readWordEntry, readWordNotes } from './word-document.ts';
import { UNREAD, type WordParagraph } from './word-paragraphs.ts';
import { collectRunning, writeRunning } from './word-running.ts';
import { visibleRuns, type WordStyles } from './word-styles.ts';
import { readXmlSource } from './xml.ts';

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
  const document = await openWord(engine, bytes, docx.title);
  const { archive, main, relationships, styles } = document;
  const left = countLeft(relationships);
  const notes = new Map<string, string>();
  await readWordNotes(document, NOTES, UNREAD, (id, paragraph) => {
    const text = visibleText(styles, paragraph).trim();
    notes.set(id, [notes.get(id), text].filter(Boolean).join(' '));
  });
  const asides = { notes, graphics: await readGraphics(archive, relationships, showNumbers(write), left) };
  const chunks = await readChunks(archive, relationships, (entry) => left.put('embedded_objects', entry));
  const count = textLimit(docx.title);
  const [running, blocks] = [textBlocks(count), textBlocks(count)];
  const sections = collectRunning();
  await readWordEntry(document, main, {
    skip: UNREAD,
    paragraph: (paragraph) => writeParagraph(blocks, styles, asides, paragraph),
    open(name, attributes) {
      if (name === 'tbl') blocks.openTable();
      if (name === 'altChunk')
        for (const text of chunks.get(attributes.id ?? '') ?? []) blocks.paragraph(text);
      sections.open(name, attributes);
    },
    close(name) {
      sections.close(name);
      if (name === 'tc') blocks.closeCell();
      if (name === 'tr') blocks.closeRow();
      if (name === 'tbl') blocks.closeTable();
    },
  });
  await writeRunning(archive, relationships, sections.found, { styles, blocks: running });
  const text = chainTexts([running.finish(), blocks.finish()]);
  return {
    ...text,
    partStarts: [],
    left: left.counts(),
    facts: await factsIfReadable(() => readCoreProperties(archive)),
  };
}

/** Returns the paragraphs of included documents in HTML and plain text, by relationship ID. */
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

/** Notes outside the text. The ID of a reference shows where in the text the note belongs. */
const NOTES = { footnotes: 'footnote', endnotes: 'endnote', comments: 'comment' };

interface Asides {
  /** The texts of notes by ID. */
  notes: Map<string, string>;
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
