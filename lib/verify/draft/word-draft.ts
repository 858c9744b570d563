import { type Archive, openArchive, type ZipReader } from '../../formats/office/archive.ts';
import { docx } from '../../formats/office/docx.ts';
import {
  entryOfType,
  mainEntry,
  type Relationship,
  readRelationships,
} from '../../formats/office/relationships.ts';
import {
  isOn,
  readWordParagraphs,
  UNREAD,
  type WordAnchor,
  type WordParagraph,
} from '../../formats/office/word-paragraphs.ts';
import { readWordStyles, visibleRuns, type WordStyles } from '../../formats/office/word-styles.ts';
import { readXml } from '../../formats/office/xml.ts';
import { textLimit } from '../../formats/text-limit.ts';
import type { Attributes } from '../../text/xml.ts';
import type { DraftBlock } from './draft.ts';
import { tableReader } from './table-reader.ts';
import { type SaidRow, spanOf } from './tables.ts';

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

/** A formula on a line of its own isn't a sentence; earlier forms of a table say nothing of it. */
const SKIPPED = new Set([...UNREAD, 'oMathPara', 'trPrChange', 'tcPrChange']);

/** Reads what readers of a Word document see, in their order: a note after the paragraph with its number. */
export async function readWordDraft(engine: ZipReader, bytes: Uint8Array): Promise<WordDraft> {
  const archive = await openArchive(engine, bytes, docx.title);
  const main = await mainEntry(archive);
  const relationships = await readRelationships(archive, main);
  const styles = await readWordStyles(archive, entryOfType(relationships, 'styles') ?? '');
  const notes = await readNotes(archive, relationships);
  const text = draftText(styles);
  const addNotes = (paragraph: WordParagraph) => {
    for (const { id, anchor } of paragraph.notes)
      for (const note of notes.get(id) ?? []) text.add(note, false, anchor);
  };
  const tables = tableReader<WordParagraph>({
    textOf: (paragraph) => textOf(seenIn(styles, paragraph)),
    isBold: (paragraph) =>
      seenIn(styles, paragraph).every(({ text: shown, isBold }) => isBold || shown.trim() === ''),
    onPiece(paragraph, inTable) {
      text.add(paragraph, inTable);
      addNotes(paragraph);
    },
    onRow(cells, row) {
      text.addRow(cells, row);
      cells.flat().forEach(addNotes);
    },
  });
  const paragraphs = readWordParagraphs(tables.add);
  await readXml(archive, main, {
    skip: SKIPPED,
    open(name, attributes, ...place) {
      openInTable(tables, name, attributes);
      paragraphs.open(name, attributes, ...place);
    },
    text: paragraphs.text,
    close(name, end) {
      paragraphs.close(name, end);
      if (name === 'tbl') tables.closeTable();
    },
  });
  return { archive, main, relationships, ...text.finish() };
}

function openInTable(tables: ReturnType<typeof tableReader>, name: string, { val = '' }: Attributes): void {
  if (name === 'tbl') tables.openTable();
  else if (name === 'tr') tables.openRow();
  else if (name === 'tc') tables.openCell();
  // A row may begin after the first column.
  else if (name === 'gridBefore' && Number(val) > 0) tables.openCell({ columns: spanOf(val) });
  else if (name === 'tblHeader' && isOn(val)) tables.markHeader();
  else if (name === 'gridSpan') tables.merge({ columns: spanOf(val) });
  else if (name === 'vMerge') tables.merge({ merged: val === 'restart' ? 'starts' : 'continues' });
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

/** Joins paragraphs: rows of a table, and items of a list, by a line break, others by an empty line. */
function draftText(styles: WordStyles) {
  const count = textLimit(docx.title);
  const blocks: DraftBlock[] = [];
  const anchors: WordDraft['anchors'] = [];
  const written: string[] = [];
  let length = 0;
  let wasClose = false;
  const write = (piece: string) => {
    written.push(piece);
    length += piece.length;
    return piece;
  };
  /** Adds paragraphs as one block, each with what is written before it. */
  const addBlock = (paragraphs: Placed[], isClose: boolean, kind: Omit<DraftBlock, 'start' | 'shown'>) => {
    if (length > 0) write(isClose && wasClose ? '\n' : '\n\n');
    wasClose = isClose;
    const start = length;
    const shown = paragraphs.flatMap(({ before, runs, noteAnchor }) => [
      write(before),
      ...runs.map(({ text, anchor }) => {
        count(text);
        anchors.push({ at: length, anchor: noteAnchor ?? anchor, isNote: noteAnchor !== undefined });
        return write(text);
      }),
    ]);
    blocks.push({ start, shown: shown.join(''), ...kind });
  };
  return {
    /** A note has the anchor of its number. */
    add(paragraph: WordParagraph, inTable: boolean, noteAnchor?: WordAnchor) {
      const runs = seenIn(styles, paragraph);
      if (textOf(runs).trim() === '') return;
      const { isHeading, inList } = kindOf(styles, paragraph);
      addBlock([{ before: '', runs, noteAnchor }], inTable || inList, isHeading ? { isHeading } : {});
    },
    addRow(cells: WordParagraph[][], known: SaidRow) {
      const paragraphs = cells.flatMap((cell, at) =>
        cell.map((paragraph, nth) => ({
          before: nth > 0 ? ' ' : at > 0 ? ' | ' : '',
          runs: seenIn(styles, paragraph),
        })),
      );
      addBlock(paragraphs, true, { ...known, ...(known.row === 'header' && { isHeading: true }) });
    },
    finish: () => ({ text: written.join(''), blocks, anchors }),
  };
}

type SeenRuns = ReturnType<typeof visibleRuns>;

interface Placed {
  before: string;
  runs: SeenRuns;
  noteAnchor?: WordAnchor | undefined;
}

function seenIn(styles: WordStyles, paragraph: WordParagraph): SeenRuns {
  return kindOf(styles, paragraph).isRead ? visibleRuns(styles, paragraph) : [];
}

function textOf(runs: SeenRuns): string {
  return runs.map(({ text }) => text).join('');
}

/** What a paragraph is, by its own properties before those of its style. */
function kindOf(styles: WordStyles, paragraph: WordParagraph) {
  const style = styles.get(paragraph.style) ?? {};
  const { outlineLevel = style.outlineLevel ?? 9, inList = style.inList ?? false } = paragraph;
  const isRead = !style.isContents && !style.isCode;
  const isHeading: true | undefined = outlineLevel < 9 || undefined;
  return { isRead, isHeading, inList };
}
