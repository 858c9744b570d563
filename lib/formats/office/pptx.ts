import type { Attributes } from '../../text/xml.ts';
import type { Decoded, Format } from '../format.ts';
import { joinParts, refuseMany, type TextPart } from '../join-parts.ts';
import { textLimit } from '../text-limit.ts';
import { type Archive, openArchive, type ZipReader } from './archive.ts';
import { entryOfType, mainEntry, readRelationships } from './relationships.ts';
import { joinSlide, type SlideBlocks, slideBlocks } from './slides.ts';
import { byElement, readXml } from './xml.ts';

export const pptx: Format<'pptx', 'encoded'> = {
  name: 'pptx',
  version: 3,
  title: 'PPTX',
  extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx'],
  mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  content: 'encoded',
  unit: 'slide',
  emptyNote: 'This presentation contains no text: its slides are images.',
};

/** Shapes that repeat on every slide, and on notes the picture of it. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const TITLES = new Set(['title', 'ctrTitle']);
/** Replacements for programs from before 2010. */
const UNREAD = new Set(['Fallback']);
const STRIKES = /^(?:sng|dbl)Strike$/;

export async function decodePptx(engine: ZipReader, bytes: Uint8Array): Promise<Decoded> {
  const archive = await openArchive(engine, bytes, pptx.title);
  const count = textLimit(pptx.title);
  const entries = await slideEntries(archive);
  refuseMany(entries);
  const slides: TextPart[] = [];
  for (const entry of entries) slides.push(await readSlide(archive, entry, count));
  return joinParts(slides);
}

/** The slides in the order in which they are shown, which their names do not tell. */
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

async function readSlide(archive: Archive, entry: string, count: (text: string) => void): Promise<TextPart> {
  const blocks = slideBlocks(count);
  const relationships = await readRelationships(archive, entry);
  await readShapes(archive, entry, blocks);
  for (const { type, entry: drawn } of relationships)
    if (type === 'diagramData') await readShapes(archive, drawn, blocks);
  const notes = entryOfType(relationships, 'notesSlide');
  if (notes !== undefined)
    await readShapes(archive, notes, { ...blocks, title: blocks.notes, body: blocks.notes });
  return joinSlide(blocks);
}

/** A shape says what it is for before it says its text. */
async function readShapes(archive: Archive, entry: string, { title, body }: SlideBlocks): Promise<void> {
  let target = body;
  let furniture = false;
  let paragraph = '';
  let isText = false;
  let isStruck = false;
  const startRun = () => {
    isStruck = false;
  };
  const startShape = () => {
    target = body;
    furniture = false;
  };
  await readXml(archive, entry, {
    skip: UNREAD,
    open: byElement<[Attributes]>({
      sp: startShape,
      graphicFrame: startShape,
      ph: ({ type = '' }) => {
        furniture = FURNITURE.has(type);
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
      p: () => furniture || target.line(paragraph),
      tc: () => target.closeCell(),
      tr: () => target.closeRow(),
      tbl: () => target.closeTable(),
    }),
  });
}
