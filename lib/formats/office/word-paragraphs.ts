import type { Attributes, XmlReader } from '../../text/xml.ts';

/** A paragraph as WordprocessingML has it: what it says of itself, before its style is asked. */
export interface WordParagraph {
  text: string;
  style: string;
  /** Counts from 0; 9 is no heading, whatever the style says. */
  outlineLevel?: number;
  /** Absent where only its style says. */
  inList?: boolean;
  listDepth: number;
  /** References out of the paragraph: `footnote 2`. */
  notes: string[];
}

/**
 * Skipped: deleted or moved text, earlier formatting, the code of a field, the reading of ruby
 * text, tab stops, and the second copy of text boxes, for programs from before 2010.
 */
export const UNREAD = new Set(
  'del moveFrom delText instrText pPrChange rPrChange sectPrChange tblPrChange rt tabs Fallback'.split(' '),
);

const MARKS: Record<string, string> = { tab: '\t', ptab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' };
const REFERENCES: Record<string, string> = {
  footnoteReference: 'footnote',
  endnoteReference: 'endnote',
  commentReference: 'comment',
};

/** Hands over each paragraph when it ends; those of a text box before the one that holds it. */
export function readWordParagraphs(
  onParagraph: (paragraph: WordParagraph) => void,
): Required<Omit<XmlReader, 'skip'>> {
  const open: WordParagraph[] = [];
  let isText = false;
  return {
    open(name, attributes) {
      if (name === 'p') open.push({ text: '', style: '', listDepth: 0, notes: [] });
      isText = name === 't';
      const paragraph = open.at(-1);
      if (paragraph !== undefined) readElement(paragraph, name, attributes);
    },
    text(text) {
      const paragraph = open.at(-1);
      if (isText && paragraph !== undefined) paragraph.text += text;
    },
    close(name) {
      isText = false;
      const paragraph = name === 'p' ? open.pop() : undefined;
      if (paragraph !== undefined) onParagraph(paragraph);
    },
  };
}

function readElement(paragraph: WordParagraph, name: string, { val = '', id = '' }: Attributes): void {
  const note = REFERENCES[name];
  if (note !== undefined) paragraph.notes.push(`${note} ${id}`);
  else if (name === 'pStyle') paragraph.style = val;
  else if (name === 'outlineLvl') paragraph.outlineLevel = Number(val);
  else if (name === 'numId') paragraph.inList = val !== '0';
  else if (name === 'ilvl') paragraph.listDepth = Number(val) || 0;
  else paragraph.text += MARKS[name] ?? '';
}
