import type { Attributes } from '../../text/xml.ts';
import type { Decoded, Format } from '../format.ts';
import { joinParts, refuseMany, type TextPart } from '../join-parts.ts';
import { onOneLine } from '../sheets.ts';
import { factsIfReadable } from '../stated-facts.ts';
import { textLimit } from '../text-limit.ts';
import { type Archive, openArchive, type ZipReader } from './archive.ts';
import { readGraphics } from './drawings.ts';
import { countLeft, type LeftParts } from './left-parts.ts';
import { type NumberWriter, type ShowNumber, showNumbers } from './numbers.ts';
import { readCoreProperties } from './properties.ts';
import { entryOfType, mainEntry, readRelationships } from './relationships.ts';
import { joinSlide, type SlideBlocks, slideBlocks } from './slides.ts';
import { byElement, readXml } from './xml.ts';

export const pptx: Format<'pptx', 'encoded'> = {
  name: 'pptx',
  version: 4,
  title: 'PPTX',
  extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx'],
  mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  content: 'encoded',
  unit: 'slide',
  emptyNote: 'This presentation contains no text: its slides are images.',
};

/** Shapes that are the same on every slide. Notes also have an image of the slide. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
/** Shapes that are read only if their text is new. */
const RUNNING = new Set(['ftr', 'hdr']);
const TITLES = new Set(['title', 'ctrTitle']);
/** Replacements for programs older than 2010. */
const UNREAD = new Set(['Fallback']);
const STRIKES = /^(?:sng|dbl)Strike$/;

export async function decodePptx(
  engine: ZipReader,
  bytes: Uint8Array,
  write: NumberWriter,
): Promise<Decoded> {
  const archive = await openArchive(engine, bytes, pptx.title);
  const entries = await slideEntries(archive);
  refuseMany(entries);
  const left = countLeft(await readRelationships(archive, await mainEntry(archive)));
  const reading: PptxReading = {
    archive,
    count: textLimit(pptx.title),
    show: showNumbers(write),
    left,
    furniture: new Set(),
  };
  const slides: TextPart[] = [];
  for (const entry of entries) slides.push(await readSlide(reading, entry));
  return {
    ...joinParts(slides),
    left: left.counts(),
    facts: await factsIfReadable(() => readCoreProperties(archive)),
  };
}

interface PptxReading {
  archive: Archive;
  count(text: string): void;
  show: ShowNumber;
  left: LeftParts;
  /** Headers and footers from earlier slides. */
  furniture: Set<string>;
}

/** Returns the slides in display order, which their names don't show. */
async function slideEntries(archive: Archive): Promise<string[]> {
  const main = await mainEntry(archive);
  const relationships = await readRelationships(archive, main);
  const byId = new Map(relationships.map(({ id, entry }) => [id, entry]));
  const entries: string[] = [];
  await readXml(archive, main, {
    open(name, { id = '' }) {
      const entry = name === 'sldId' ? byId.get(id) : undefined;
      if (entry !== undefined) entries.push(entry);
    },
  });
  return entries;
}

async function readSlide(reading: PptxReading, entry: string): Promise<TextPart> {
  const { archive, count, show, left, furniture } = reading;
  const blocks = slideBlocks(count);
  const relationships = await readRelationships(archive, entry);
  left.add(relationships);
  const graphics = await readGraphics(archive, relationships, show, left);
  await readShapes(archive, entry, { ...blocks, furniture });
  for (const line of [...graphics.values()].flat()) blocks.body.line(line);
  for (const { type, entry: comments } of relationships)
    if (type === 'comments')
      await readComments(archive, comments, (text) => blocks.body.line(`Comment: ${text}`));
  const notes = entryOfType(relationships, 'notesSlide');
  if (notes !== undefined)
    await readShapes(archive, notes, { ...blocks, title: blocks.notes, body: blocks.notes, furniture });
  return joinSlide(blocks);
}

/** Comments before 2018 have their text in one element, later ones in paragraphs. A reply is a separate comment. */
async function readComments(archive: Archive, entry: string, onText: (text: string) => void): Promise<void> {
  let text = '';
  let isText = false;
  await readXml(archive, entry, {
    open(name) {
      isText = name === 't' || name === 'text';
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      isText = false;
      if (name === 'p') text += ' ';
      if (name !== 'text' && name !== 'txBody') return;
      if (text.trim() !== '') onText(onOneLine(text));
      text = '';
    },
  });
}

interface ShapesTarget extends SlideBlocks {
  furniture: Set<string>;
}

/** A shape states its role before its text. */
async function readShapes(
  archive: Archive,
  entry: string,
  { title, body, furniture: known }: ShapesTarget,
): Promise<void> {
  let target = body;
  let furniture = '';
  let paragraph = '';
  let isText = false;
  let isStruck = false;
  const startRun = () => {
    isStruck = false;
  };
  const startShape = () => {
    target = body;
    furniture = '';
  };
  const isShown = () => {
    if (furniture === '') return true;
    const isNew = RUNNING.has(furniture) && !known.has(paragraph);
    known.add(paragraph);
    return isNew;
  };
  await readXml(archive, entry, {
    skip: UNREAD,
    open: byElement<[Attributes]>({
      sp: startShape,
      graphicFrame: startShape,
      ph: ({ type = '' }) => {
        furniture = FURNITURE.has(type) ? type : '';
        if (TITLES.has(type)) target = title;
      },
      p: () => {
        paragraph = '';
      },
      r: startRun,
      fld: startRun,
      rPr: ({ strike = '' }) => {
        isStruck = STRIKES.test(strike);
      },
      t: () => {
        isText = !isStruck;
      },
      br: () => {
        paragraph += '\n';
      },
      tbl: () => target.openTable(),
    }),
    text(text) {
      if (isText) paragraph += text;
    },
    close: byElement({
      t: () => {
        isText = false;
      },
      p: () => isShown() && target.line(paragraph),
      tc: () => target.closeCell(),
      tr: () => target.closeRow(),
      tbl: () => target.closeTable(),
    }),
  });
}
