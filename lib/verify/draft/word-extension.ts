import { openArchive, type ZipReader } from '../../formats/office/archive.ts';
import { docx } from '../../formats/office/docx.ts';
import { mainEntry } from '../../formats/office/relationships.ts';
import { readXml } from '../../formats/office/xml.ts';

/** Extensions by the type of the main part. Word refuses a file whose extension says otherwise. */
const EXTENSIONS = {
  'application/vnd.ms-word.document.macroenabled.main+xml': 'docm',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml': 'dotx',
  'application/vnd.ms-word.template.macroenabledtemplate.main+xml': 'dotm',
} as const;
export type WordExtension = 'docx' | (typeof EXTENSIONS)[keyof typeof EXTENSIONS];

/** Returns the extension that Word expects of a document, whatever its file is called. */
export async function wordExtension(engine: ZipReader, bytes: Uint8Array): Promise<WordExtension> {
  const archive = await openArchive(engine, bytes, docx.title);
  const main = `/${await mainEntry(archive)}`.toLowerCase();
  let type = '';
  await readXml(archive, '[Content_Types].xml', {
    open(name, { PartName = '', Extension = '', ContentType = '' }) {
      if (name === 'Default' && main.endsWith(`.${Extension.toLowerCase()}`)) type ||= ContentType;
      if (name === 'Override' && PartName.toLowerCase() === main) type = ContentType;
    },
  });
  return EXTENSIONS[type.toLowerCase() as keyof typeof EXTENSIONS] ?? 'docx';
}
