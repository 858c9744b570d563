import type { ZipReader } from '../../formats/office/archive.ts';
import type { AnchoredWord } from '../../formats/office/comment-docx.ts';
import { docx } from '../../formats/office/docx.ts';
import { openWord, readWordEntry, readWordNotes } from '../../formats/office/word-document.ts';
import { isOn, type PlacedAnchor, UNREAD, type WordParagraph } from '../../formats/office/word-paragraphs.ts';
import { visibleRuns, type WordStyles } from '../../formats/office/word-styles.ts';
import type { Attributes } from '../../text/xml.ts';
import type { DraftBlock } from './draft.ts';
import { type DraftBuilder, type DraftPiece, draftBuilder } from './draft-builder.ts';
import { spanOf } from './tables.ts';

export interface WordDraft extends AnchoredWord {
  blocks: DraftBlock[];
}

/**
 * Formulas on lines of their own aren't sentences, and tracked changes contain earlier properties of a table.
 */
const SKIPPED = new Set([...UNREAD, 'oMathPara', 'trPrChange', 'tcPrChange']);

const NOTES = { footnotes: 'footnote', endnotes: 'endnote' };

/**
 * Reads the visible text of a Word document in order. A note comes after the paragraph that contains its
 * number.
 */
export async function readWordDraft(engine: ZipReader, bytes: Uint8Array): Promise<WordDraft> {
  const document = await openWord(engine, bytes, docx.title);
  const known = new Map<string, DraftPiece[]>();
  await readWordNotes(document, NOTES, SKIPPED, (id, paragraph) => {
    const own = known.get(id) ?? [];
    known.set(id, own);
    own.push(toPiece(document.styles, paragraph));
  });
  const draft = draftBuilder(docx.title);
  await readWordEntry(document, document.main, {
    skip: SKIPPED,
    paragraph(paragraph) {
      const notes = paragraph.notes.flatMap(({ id, anchor }) =>
        (known.get(id) ?? []).map((note) => ({ ...note, anchors: [{ at: 0, anchor, isNote: true }] })),
      );
      draft.add({ ...toPiece(document.styles, paragraph), notes });
    },
    open: (name, attributes) => openInTable(draft, name, attributes),
    close(name) {
      if (name === 'tbl') draft.closeTable();
    },
  });
  return { ...document, ...draft.finish() };
}

function openInTable(draft: DraftBuilder, name: string, { val = '' }: Attributes): void {
  if (name === 'tbl') draft.openTable();
  else if (name === 'tr') draft.openRow();
  else if (name === 'tc') draft.openCell();
  // A row may start after the first column.
  else if (name === 'gridBefore' && Number(val) > 0) draft.openCell({ columns: spanOf(val) });
  else if (name === 'tblHeader' && isOn(val)) draft.markHeader();
  else if (name === 'gridSpan') draft.merge({ columns: spanOf(val) });
  else if (name === 'vMerge') draft.merge({ merged: val === 'restart' ? 'starts' : 'continues' });
}

/** Returns a paragraph as readers see it. Its own properties override those of its style. */
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
