import type { Decoded, Format } from '../format.ts';
import { textLimit } from '../text-limit.ts';
import type { ZipReader } from './archive.ts';
import { CONTENT, openDocument } from './open-document.ts';
import { readOpenParagraphs } from './open-paragraphs.ts';
import { textBlocks } from './text-blocks.ts';
import { readXml } from './xml.ts';

export const odt: Format<'odt', 'encoded'> = {
  name: 'odt',
  version: 3,
  title: 'ODT',
  extensions: ['odt', 'ott'],
  mediaType: 'application/vnd.oasis.opendocument.text',
  content: 'encoded',
  unit: 'line',
  emptyNote: 'This document contains no text.',
};

export async function decodeOdt(engine: ZipReader, bytes: Uint8Array): Promise<Decoded> {
  const archive = await openDocument(engine, bytes, odt.title);
  const blocks = textBlocks(textLimit(odt.title));
  await readXml(
    archive,
    CONTENT,
    readOpenParagraphs(() => blocks),
  );
  return blocks.finish();
}
