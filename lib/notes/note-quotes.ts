import { readNote } from '../api-contract/note-sources.ts';
import { readingFormat } from '../formats/all-formats.ts';
import type { DocumentRef, NewQuote } from '../quotations/records/schema.ts';
import type { Note } from './schema.ts';

export function noteRef({ id, workspaceId }: Pick<Note, 'id' | 'workspaceId'>): {
  workspaceId: string;
  document: DocumentRef;
} {
  return { workspaceId, document: { kind: 'note', key: id, place: 0 } };
}

/**
 * Returns the quotes in the sources of a note, as the service and the console write them. A person may have
 * quoted the text from a viewer, which can differ from the extracted text.
 */
export function quotesOfNote({ content, type }: Pick<Note, 'content' | 'type'>): NewQuote[] {
  return readNote(content).citations.flatMap(
    ({ index, path, startLine, endLine, place, quote, isMissing }) => {
      const text = type === 'manual' ? quote : quote.replace(/…$/, ''); // a report's note may shorten quotes
      if (text === '' || path === '' || isMissing) return [];
      const exact = type !== 'manual' || readingFormat(path).content !== 'encoded';
      const part = place?.kind === 'page' ? { page: Number(place.at) } : {};
      return [{ index, path, startLine, endLine, part, quote: text, fileHash: null, exact }];
    },
  );
}
