import type { Decoded, Format } from '../format.ts';
import { chainTexts } from '../join-parts.ts';
import { factsIfReadable } from '../stated-facts.ts';
import { textLimit } from '../text-limit.ts';
import type { ZipReader } from './archive.ts';
import { CONTENT, openDocument } from './open-document.ts';
import { readOpenObjects } from './open-objects.ts';
import { readOpenParagraphs } from './open-paragraphs.ts';
import { readOpenRunning } from './open-running.ts';
import { readOpenProperties } from './properties.ts';
import { textBlocks } from './text-blocks.ts';
import { readXml } from './xml.ts';

export const odt: Format<'odt', 'encoded'> = {
  name: 'odt',
  version: 4,
  title: 'ODT',
  extensions: ['odt', 'ott'],
  mediaType: 'application/vnd.oasis.opendocument.text',
  content: 'encoded',
  unit: 'line',
  emptyNote: 'This document contains no text.',
};

export async function decodeOdt(engine: ZipReader, bytes: Uint8Array): Promise<Decoded> {
  const archive = await openDocument(engine, bytes, odt.title);
  const count = textLimit(odt.title);
  const [running, blocks] = [textBlocks(count), textBlocks(count)];
  const objects = await readOpenObjects(archive);
  for (const each of await readOpenRunning(archive)) running.paragraph(each);
  await readXml(
    archive,
    CONTENT,
    readOpenParagraphs(() => blocks, objects),
  );
  const text = chainTexts([running.finish(), blocks.finish()]);
  return {
    ...text,
    partStarts: [],
    left: objects.left(),
    facts: await factsIfReadable(() => readOpenProperties(archive)),
  };
}
