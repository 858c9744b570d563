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
  type WordParagraph,
} from '../../formats/office/word-paragraphs.ts';
import { readWordStyles, visibleRuns, type WordStyles } from '../../formats/office/word-styles.ts';
import { readXml } from '../../formats/office/xml.ts';
import { textLimit } from '../../formats/text-limit.ts';
import type { Attributes } from '../../text/xml.ts';
import type { DraftBlock } from './draft.ts';
import { type DraftBuilder, type DraftPiece, draftBuilder, type PlacedAnchor } from './draft-builder.ts';
import { spanOf } from './tables.ts';

/** The text of a Word document, and where in its XML a comment on a place of that text may begin and end. */
export interface WordDraft {
  archive: Archive;
  /** The name of the entry that `anchors` refer to. */
  main: string;
  relationships: Relationship[];
  text: string;
  blocks: DraftBlock[];
  /** In order, each other than the one before; places in the XML count from its first character after a byte order mark. */
  anchors: PlacedAnchor[];
}

/** A formula on a line of its own isn't a sentence; earlier forms of a table say nothing of it. */
const SKIPPED = new Set([...UNREAD, 'oMathPara', 'trPrChange', 'tcPrChange']);

/** Reads what readers of a Word document see, in their order: a note after the paragraph with its number. */
export async function readWordDraft(engine: ZipReader, bytes: Uint8Array): Promise<WordDraft> {
  const archive = await openArchive(engine, bytes, docx.title);
  const main = await mainEntry(archive);
  const relationships = await readRelationships(archive, main);
  const styles = await readWordStyles(archive, entryOfType(relationships, 'styles') ?? '');
  const known = await readNotes(archive, relationships, styles);
  const draft = draftBuilder(docx.title);
  const paragraphs = readWordParagraphs((paragraph) => {
    const notes = paragraph.notes.flatMap(({ id, anchor }) =>
      (known.get(id) ?? []).map((note) => ({ ...note, anchors: [{ at: 0, anchor, isNote: true }] })),
    );
    draft.add({ ...toPiece(styles, paragraph), notes });
  });
  await readXml(archive, main, {
    skip: SKIPPED,
    open(name, attributes, ...place) {
      openInTable(draft, name, attributes);
      paragraphs.open(name, attributes, ...place);
    },
    text: paragraphs.text,
    close(name, end) {
      paragraphs.close(name, end);
      if (name === 'tbl') draft.closeTable();
    },
  });
  return { archive, main, relationships, ...draft.finish() };
}

function openInTable(draft: DraftBuilder, name: string, { val = '' }: Attributes): void {
  if (name === 'tbl') draft.openTable();
  else if (name === 'tr') draft.openRow();
  else if (name === 'tc') draft.openCell();
  // A row may begin after the first column.
  else if (name === 'gridBefore' && Number(val) > 0) draft.openCell({ columns: spanOf(val) });
  else if (name === 'tblHeader' && isOn(val)) draft.markHeader();
  else if (name === 'gridSpan') draft.merge({ columns: spanOf(val) });
  else if (name === 'vMerge') draft.merge({ merged: val === 'restart' ? 'starts' : 'continues' });
}

const NOTES = { footnotes: 'footnote', endnotes: 'endnote' };

/** Reads the paragraphs of each note, by what leads to it: `footnote 2`. */
async function readNotes(
  archive: Archive,
  relationships: Relationship[],
  styles: WordStyles,
): Promise<Map<string, DraftPiece[]>> {
  const notes = new Map<string, DraftPiece[]>();
  const count = textLimit(docx.title);
  for (const [type, element] of Object.entries(NOTES)) {
    let own: DraftPiece[] = [];
    const paragraphs = readWordParagraphs((paragraph) => {
      count(paragraph.text);
      own.push(toPiece(styles, paragraph));
    });
    await readXml(archive, entryOfType(relationships, type) ?? '', {
      ...paragraphs,
      skip: SKIPPED,
      open(name, attributes, ...place) {
        if (name === element) {
          own = [];
          notes.set(`${element} ${attributes.id}`, own);
        }
        paragraphs.open(name, attributes, ...place);
      },
    });
  }
  return notes;
}

/** A paragraph as it is seen. What it is, its own properties say before those of its style. */
function toPiece(styles: WordStyles, paragraph: WordParagraph): DraftPiece {
  const style = styles.get(paragraph.style) ?? {};
  const { outlineLevel = style.outlineLevel ?? 9, inList = style.inList ?? false } = paragraph;
  const runs = style.isContents || style.isCode ? [] : visibleRuns(styles, paragraph);
  const anchors: PlacedAnchor[] = [];
  let text = '';
  for (const run of runs) {
    anchors.push({ at: text.length, anchor: run.anchor, isNote: false });
    text += run.text;
  }
  const isBold = runs.every((run) => run.isBold || run.text.trim() === '');
  return { text, isHeading: outlineLevel < 9 || undefined, isItem: inList, isBold, anchors };
}
