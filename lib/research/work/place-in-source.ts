import type { TextRun } from '../../formats/format.ts';
import { lineAt } from '../../formats/lines.ts';
import type { FilePart } from '../../ports/file-part.ts';
import type { QuotableFile } from '../../retrieval/cite/sources.ts';

interface Place extends FilePart {
  startLine: number;
  endLine: number;
}

/** Returns the location of a range in a source: its lines and the part of its file. */
export function placeInSource({ lines, partAt }: QuotableFile, place: TextRun): Place {
  return {
    startLine: lineAt(lines, place.start),
    endLine: lineAt(lines, place.end - 1),
    ...partAt(place),
  };
}
