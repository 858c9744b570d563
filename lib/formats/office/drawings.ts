import { textLimit } from '../text-limit.ts';
import type { Archive } from './archive.ts';
import { readChart } from './charts.ts';
import type { LeftParts } from './left-parts.ts';
import type { ShowNumber } from './numbers.ts';
import type { Relationship } from './relationships.ts';
import { readXml } from './xml.ts';

/** Returns the paragraphs of a drawing, such as a diagram (SmartArt). */
async function readDrawing(archive: Archive, entry: string): Promise<string[]> {
  const count = textLimit(archive.title);
  const lines: string[] = [];
  let line = '';
  let isText = false;
  await readXml(archive, entry, {
    open(name) {
      isText = name === 't';
      if (name === 'p') line = '';
    },
    text(text) {
      if (isText) line += text;
    },
    close(name) {
      isText = false;
      if (name !== 'p' || line.trim() === '') return;
      count(line);
      lines.push(line);
    },
  });
  return lines;
}

/**
 * Returns the lines of the charts and diagrams to which an entry links, by relationship ID. Counts charts
 * without text.
 */
export async function readGraphics(
  archive: Archive,
  relationships: Relationship[],
  show: ShowNumber,
  left: LeftParts,
  isInWorkbook = false,
): Promise<Map<string, string[]>> {
  const count = textLimit(archive.title);
  const lines = new Map<string, string[]>();
  for (const { id, type, entry } of relationships) {
    if (type === 'chart' || type === 'chartEx') {
      const read = await readChart(archive, entry, { count, show, isInWorkbook });
      lines.set(id, read ?? []);
      if (read === undefined) left.put('charts', entry);
    }
    if (type === 'diagramData') lines.set(id, await readDrawing(archive, entry));
  }
  return lines;
}

/** Returns the relationship ID of the chart or diagram that an element shows. */
export function graphicOf(name: string, { id, dm }: Record<string, string>): string | undefined {
  if (name === 'chart') return id;
  return name === 'relIds' ? dm : undefined;
}
