import type { Attributes } from '../../text/xml.ts';
import { textLimit } from '../text-limit.ts';
import { type Archive, openArchive, type ZipReader } from './archive.ts';
import { entryOfType, mainEntry, type Relationship, readRelationships } from './relationships.ts';
import { readWordParagraphs, type WordParagraph } from './word-paragraphs.ts';
import { readWordStyles, type WordStyles } from './word-styles.ts';
import { readXml } from './xml.ts';

export interface WordDocument {
  archive: Archive;
  /** The name of the entry with its text. */
  main: string;
  relationships: Relationship[];
  styles: WordStyles;
}

export async function openWord(engine: ZipReader, bytes: Uint8Array, title: string): Promise<WordDocument> {
  const archive = await openArchive(engine, bytes, title);
  const main = await mainEntry(archive);
  const relationships = await readRelationships(archive, main);
  const styles = await readWordStyles(archive, entryOfType(relationships, 'styles') ?? '');
  return { archive, main, relationships, styles };
}

interface WordReader {
  /** Elements that are skipped. */
  skip: ReadonlySet<string>;
  paragraph(paragraph: WordParagraph): void;
  /** Called before and after an element is read. */
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
}

/** Reads the paragraphs of an entry. */
export function readWordEntry(
  { archive }: WordDocument,
  entry: string,
  { skip, paragraph, open, close }: WordReader,
): Promise<void> {
  const paragraphs = readWordParagraphs(paragraph);
  return readXml(archive, entry, {
    skip,
    text: paragraphs.text,
    open(name, attributes, ...place) {
      open?.(name, attributes);
      paragraphs.open(name, attributes, ...place);
    },
    close(name, end) {
      paragraphs.close(name, end);
      close?.(name);
    },
  });
}

/**
 * Reads the paragraphs of notes, each with the reference to its note, such as `footnote 2`. `elements` names
 * the elements that contain notes, by the entry's type.
 */
export async function readWordNotes(
  document: WordDocument,
  elements: Record<string, string>,
  skip: ReadonlySet<string>,
  onParagraph: (id: string, paragraph: WordParagraph) => void,
): Promise<void> {
  const { archive, relationships } = document;
  const count = textLimit(archive.title);
  for (const [type, element] of Object.entries(elements)) {
    let id = '';
    await readWordEntry(document, entryOfType(relationships, type) ?? '', {
      skip,
      open(name, attributes) {
        if (name === element) id = `${element} ${attributes.id}`;
      },
      paragraph(paragraph) {
        count(paragraph.text);
        onParagraph(id, paragraph);
      },
    });
  }
}
