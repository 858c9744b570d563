import type { Decoded, Format } from '../format.ts';
import { joinParts } from '../join-parts.ts';
import { factsIfReadable } from '../stated-facts.ts';
import { textLimit } from '../text-limit.ts';
import type { ZipReader } from './archive.ts';
import { CONTENT, openDocument } from './open-document.ts';
import { readOpenObjects } from './open-objects.ts';
import { readOpenParagraphs } from './open-paragraphs.ts';
import { readOpenProperties } from './properties.ts';
import { joinSlide, type SlideBlocks, slideBlocks } from './slides.ts';
import { readXml } from './xml.ts';

export const odp: Format<'odp', 'encoded'> = {
  name: 'odp',
  version: 4,
  title: 'ODP',
  extensions: ['odp', 'otp'],
  mediaType: 'application/vnd.oasis.opendocument.presentation',
  content: 'encoded',
  unit: 'slide',
  emptyNote: 'This presentation contains no text: its slides are images.',
};

export async function decodeOdp(engine: ZipReader, bytes: Uint8Array): Promise<Decoded> {
  const archive = await openDocument(engine, bytes, odp.title);
  const count = textLimit(odp.title);
  const slides: SlideBlocks[] = [];
  let block: keyof SlideBlocks = 'body';
  let inNotes = false;
  const outside = slideBlocks(count);
  const objects = await readOpenObjects(archive);
  const target = () => (slides.at(-1) ?? outside)[inNotes ? 'notes' : block];
  const paragraphs = readOpenParagraphs(target, objects);
  await readXml(archive, CONTENT, {
    ...paragraphs,
    open(name, attributes, ...place) {
      if (name === 'page') slides.push(slideBlocks(count));
      if (name === 'notes') inNotes = true;
      if (name === 'frame') block = attributes.class === 'title' ? 'title' : 'body';
      paragraphs.open(name, attributes, ...place);
    },
    close(name, end) {
      paragraphs.close(name, end);
      if (name === 'notes') inNotes = false;
      if (name === 'frame') block = 'body';
    },
  });
  const facts = await factsIfReadable(() => readOpenProperties(archive));
  return { ...joinParts(slides.map(joinSlide)), left: objects.left(), facts };
}
