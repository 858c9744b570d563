import type { Citation } from '../../api-contract/citation.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import { mediaTypeOf } from '../../formats/all-formats.ts';

/** Returns the parts of an answer that show its citations, each with its file as a source of the AI SDK. */
export function citationParts(cited: Citation[]): StreamPart[] {
  return cited.flatMap((data): StreamPart[] => {
    const { index, path } = data;
    const file = { sourceId: String(index), mediaType: mediaTypeOf(path), title: path, filename: path };
    return [
      { type: 'data-citation', id: String(index), data },
      { type: 'source-document', ...file },
    ];
  });
}
