import type { Archive } from './archive.ts';
import { graphicOf, readGraphics } from './drawings.ts';
import type { LeftParts } from './left-parts.ts';
import type { ShowNumber } from './numbers.ts';
import { type Relationship, readRelationships } from './relationships.ts';
import { readXml } from './xml.ts';

/** A line of a drawing over a sheet, at the row where the drawing starts. */
interface DrawnLine {
  row: number;
  line: string;
}

const UNREAD = new Set(['Fallback']);

/**
 * Reads the text boxes, charts, and diagrams over a sheet. Counts the content linked from a drawing that
 * isn't read.
 */
export async function readDrawnLines(
  archive: Archive,
  parts: Relationship[],
  show: ShowNumber,
  left: LeftParts,
): Promise<DrawnLine[]> {
  const lines: DrawnLine[] = [];
  for (const { type, entry } of parts) {
    if (type !== 'drawing') continue;
    const links = await readRelationships(archive, entry);
    left.add(links);
    await readAnchors(archive, entry, await readGraphics(archive, links, show, left, true), lines);
  }
  return lines;
}

async function readAnchors(
  archive: Archive,
  entry: string,
  graphics: Map<string, string[]>,
  lines: DrawnLine[],
): Promise<void> {
  let row = 1;
  let inFrom = false;
  let text = '';
  await readXml(archive, entry, {
    skip: UNREAD,
    open(name, attributes) {
      if (name === 'from') inFrom = true;
      if (name === 'p' || name === 'row') text = '';
      for (const line of graphics.get(graphicOf(name, attributes) ?? '') ?? []) lines.push({ row, line });
    },
    text(piece) {
      text += piece;
    },
    close(name) {
      if (name === 'row' && inFrom) row = Number(text) + 1 || 1;
      if (name === 'from') inFrom = false;
      if (name === 'p') lines.push({ row, line: text });
    },
  });
}
