import type { Decoded, Format } from '../format.ts';
import { textLimit } from '../text-limit.ts';
import { type Archive, openArchive, type ZipReader } from './archive.ts';
import { entryOfType, mainEntry, type Relationship, readRelationships } from './relationships.ts';
import { type TextBlocks, textBlocks } from './text-blocks.ts';
import { readWordParagraphs, UNREAD, type WordParagraph } from './word-paragraphs.ts';
import { readWordStyles, visibleRuns, type WordStyles } from './word-styles.ts';
import { readXml } from './xml.ts';

export const docx: Format<'docx', 'encoded'> = {
  name: 'docx',
  version: 4,
  title: 'DOCX',
  extensions: ['docx', 'docm', 'dotx', 'dotm'],
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  content: 'encoded',
  unit: 'line',
  emptyNote: 'This document contains no text.',
};

export async function decodeDocx(engine: ZipReader, bytes: Uint8Array): Promise<Decoded> {
  const archive = await openArchive(engine, bytes, docx.title);
  const main = await mainEntry(archive);
  const relationships = await readRelationships(archive, main);
  const styles = await readWordStyles(archive, entryOfType(relationships, 'styles') ?? '');
  const notes = await readNotes(archive, relationships, styles);
  const blocks = textBlocks(textLimit(docx.title));
  const paragraphs = readWordParagraphs((paragraph) => write(blocks, styles, notes, paragraph));
  await readXml(archive, main, {
    skip: UNREAD,
    open(name, attributes, ...place) {
      if (name === 'tbl') blocks.openTable();
      paragraphs.open(name, attributes, ...place);
    },
    text: paragraphs.text,
    close(name, end) {
      paragraphs.close(name, end);
      if (name === 'tc') blocks.closeCell();
      if (name === 'tr') blocks.closeRow();
      if (name === 'tbl') blocks.closeTable();
    },
  });
  return blocks.finish();
}

/** Notes outside of the text: the ID that leads to one says where it's read. */
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

/** Writes a note after the paragraph that leads to it, where its words belong. */
function write(blocks: TextBlocks, styles: WordStyles, notes: Notes, paragraph: WordParagraph): void {
  const style = styles.get(paragraph.style) ?? {};
  if (style.isContents) return;
  const { outlineLevel = style.outlineLevel, inList = style.inList } = paragraph;
  const text = visibleText(styles, paragraph);
  if (text === '' && paragraph.text !== '') return;
  if (outlineLevel !== undefined && outlineLevel < 9) blocks.heading(text, outlineLevel + 1);
  else if (inList) blocks.item(text, paragraph.listDepth);
  else blocks.paragraph(text);
  for (const { id } of paragraph.notes) writeNote(blocks, id, notes.get(id));
}

function visibleText(styles: WordStyles, paragraph: WordParagraph): string {
  return visibleRuns(styles, paragraph)
    .map(({ text }) => text)
    .join('');
}

function writeNote(blocks: TextBlocks, id: string, text: string | undefined): void {
  if (text) blocks.paragraph(`${id.startsWith('comment') ? 'Comment' : 'Note'}: ${text}`);
}
