import { type Archive, openArchive, type ZipReader } from '../../formats/office/archive.ts';
import { docx } from '../../formats/office/docx.ts';
import {
  entryOfType,
  mainEntry,
  type Relationship,
  readRelationships,
} from '../../formats/office/relationships.ts';
import {
  readWordParagraphs,
  UNREAD,
  type WordAnchor,
  type WordParagraph,
} from '../../formats/office/word-paragraphs.ts';
import { readWordStyles, visibleRuns, type WordStyles } from '../../formats/office/word-styles.ts';
import { readXml } from '../../formats/office/xml.ts';
import { textLimit } from '../../formats/text-limit.ts';
import type { DraftBlock } from './draft.ts';

/** The text of a Word document, and where in its XML a comment on a place of that text may begin and end. */
export interface WordDraft {
  archive: Archive;
  /** The name of the entry that `anchors` refer to. */
  main: string;
  relationships: Relationship[];
  text: string;
  blocks: DraftBlock[];
  /** From each place in the text on, in order; places in the XML count from its first character after a byte order mark. */
  anchors: { at: number; anchor: WordAnchor; isNote: boolean }[];
}

/** A formula on a line of its own isn't a sentence. */
const SKIPPED = new Set([...UNREAD, 'oMathPara']);

/** Reads what readers of a Word document see, in their order: a note after the paragraph with its number. */
export async function readWordDraft(engine: ZipReader, bytes: Uint8Array): Promise<WordDraft> {
  const archive = await openArchive(engine, bytes, docx.title);
  const main = await mainEntry(archive);
  const relationships = await readRelationships(archive, main);
  const styles = await readWordStyles(archive, entryOfType(relationships, 'styles') ?? '');
  const notes = await readNotes(archive, relationships);
  const text = draftText(styles);
  let inTables = 0;
  const paragraphs = readWordParagraphs((paragraph) => {
    text.add(paragraph, inTables > 0);
    for (const { id, anchor } of paragraph.notes)
      for (const note of notes.get(id) ?? []) text.add(note, false, anchor);
  });
  await readXml(archive, main, {
    skip: SKIPPED,
    open(name, attributes, ...place) {
      if (name === 'tbl') inTables++;
      paragraphs.open(name, attributes, ...place);
    },
    text: paragraphs.text,
    close(name, end) {
      if (name === 'tbl') inTables--;
      paragraphs.close(name, end);
    },
  });
  return { archive, main, relationships, ...text.finish() };
}

const NOTES = { footnotes: 'footnote', endnotes: 'endnote' };

type Notes = Map<string, WordParagraph[]>;

/** The paragraphs of each note, by what leads to it: `footnote 2`. */
async function readNotes(archive: Archive, relationships: Relationship[]): Promise<Notes> {
  const notes: Notes = new Map();
  const count = textLimit(docx.title);
  for (const [type, element] of Object.entries(NOTES)) {
    let id = '';
    const paragraphs = readWordParagraphs((paragraph) => {
      count(paragraph.text);
      const known = notes.get(id);
      if (known === undefined) notes.set(id, [paragraph]);
      else known.push(paragraph);
    });
    await readXml(archive, entryOfType(relationships, type) ?? '', {
      ...paragraphs,
      skip: SKIPPED,
      open(name, attributes, ...place) {
        if (name === element) id = `${element} ${attributes.id}`;
        paragraphs.open(name, attributes, ...place);
      },
    });
  }
  return notes;
}

/** Joins paragraphs: those of a table or list by a line break, others by an empty line. */
function draftText(styles: WordStyles) {
  const count = textLimit(docx.title);
  const pieces: string[] = [];
  const blocks: DraftBlock[] = [];
  const anchors: WordDraft['anchors'] = [];
  let length = 0;
  let wasClose = false;
  const gapBefore = (isClose: boolean) => {
    if (length === 0) return '';
    return isClose && wasClose ? '\n' : '\n\n';
  };
  return {
    /** A note has the anchor of its number. */
    add(paragraph: WordParagraph, inTable: boolean, noteAnchor?: WordAnchor) {
      const { isRead, isHeading, inList } = kindOf(styles, paragraph);
      const seen = isRead ? visibleRuns(styles, paragraph) : [];
      const shown = seen.map(({ text }) => text).join('');
      if (shown.trim() === '') return;
      count(shown);
      const gap = gapBefore(inTable || inList);
      wasClose = inTable || inList;
      pieces.push(gap, shown);
      length += gap.length;
      blocks.push({ start: length, shown, ...(isHeading && { isHeading }) });
      for (const { text, anchor } of seen) {
        anchors.push({ at: length, anchor: noteAnchor ?? anchor, isNote: noteAnchor !== undefined });
        length += text.length;
      }
    },
    finish: () => ({ text: pieces.join(''), blocks, anchors }),
  };
}

/** What a paragraph is, by its own properties before those of its style. */
function kindOf(styles: WordStyles, paragraph: WordParagraph) {
  const style = styles.get(paragraph.style) ?? {};
  const { outlineLevel = style.outlineLevel ?? 9, inList = style.inList ?? false } = paragraph;
  const isRead = !style.isContents && !style.isCode;
  return { isRead, isHeading: outlineLevel < 9, inList };
}
