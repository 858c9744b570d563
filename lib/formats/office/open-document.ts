import { type Archive, broken, lockedBy, openArchive, type ZipReader } from './archive.ts';
import { readXml } from './xml.ts';

/** The entry that contains the text of an OpenDocument file (ISO/IEC 26300). */
export const CONTENT = 'content.xml';

export async function openDocument(engine: ZipReader, bytes: Uint8Array, title: string): Promise<Archive> {
  const archive = await openArchive(engine, bytes, title);
  if (await isEncrypted(archive)) throw lockedBy(title, 'a password');
  if (!archive.has(CONTENT)) throw broken(title);
  return archive;
}

/** An encrypted document is an ordinary zip file with a list of its encrypted entries. */
async function isEncrypted(archive: Archive): Promise<boolean> {
  let found = false;
  await readXml(archive, 'META-INF/manifest.xml', {
    open(name) {
      found ||= name === 'encryption-data';
    },
  });
  return found;
}
