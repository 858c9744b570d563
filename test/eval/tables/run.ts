import { existsSync, globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { extract } from '../../../lib/formats/extract.ts';
import { pdf } from '../../../lib/formats/pdf.ts';
import { CELL_BREAK } from '../../../lib/formats/sheets.ts';

/**
 * `npm run eval:tables -- --icdar FOLDER`: the share of the relations between adjacent cells that the text of PDFs keeps, as
 * in the ICDAR 2013 Table Competition. FOLDER contains `NAME.pdf` and `NAME-str.xml`, as in the folder
 * `tests/files/tabula/icdar2013-dataset` of `camelot-dev/camelot`. Compares whole documents, so that prose which looks
 * like a table lowers the precision.
 */
const { values } = parseArgs({ options: { icdar: { type: 'string' } } });
if (values.icdar === undefined) throw new Error('Name the folder: --icdar FOLDER');

interface Cell {
  row: number;
  column: number;
  text: string;
}

/** Cells by `row column`. A cell that spans others is at each of their places. */
type Grid = Map<string, Cell>;

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

let [kept, known, found] = [0, 0, 0];
for (const structure of globSync(`${values.icdar}/**/*-str.xml`).sort()) {
  const file = structure.replace(/-str\.xml$/, '.pdf');
  if (!existsSync(file)) continue;
  const { source } = await extract(pdf, readFileSync(file));
  const wanted = relations(gridsIn(readFileSync(structure, 'utf8')));
  const ours = relations(gridsOf(source));
  for (const [relation, count] of wanted) kept += Math.min(count, ours.get(relation) ?? 0);
  known += sum(wanted);
  found += sum(ours);
}
const share = (part: number, whole: number) => (part / Math.max(1, whole)).toFixed(3);
console.log(`recall ${share(kept, known)}, precision ${share(kept, found)}, of ${known} relations`);

function sum(counts: Map<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

/** Counts pairs of different cells that follow each other in a row or a column, without empty cells between them. */
function relations(grids: Grid[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const grid of grids) {
    const places = [...grid.keys()].map((place) => place.split(' ').map(Number) as [number, number]);
    const rows = Math.max(-1, ...places.map(([row]) => row)) + 1;
    const columns = Math.max(-1, ...places.map(([, column]) => column)) + 1;
    const lines = [
      ...Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, at) => `${row} ${at}`)),
      ...Array.from({ length: columns }, (_, column) =>
        Array.from({ length: rows }, (_, at) => `${at} ${column}`),
      ),
    ];
    for (const [at, line] of lines.entries())
      addPairs(
        counts,
        at < rows ? 'row' : 'column',
        line.map((place) => grid.get(place)),
      );
  }
  return counts;
}

function addPairs(counts: Map<string, number>, kind: string, line: (Cell | undefined)[]): void {
  const filled = line.filter((cell) => cell !== undefined && cell.text !== '') as Cell[];
  for (const [at, cell] of filled.slice(1).entries()) {
    const before = filled[at];
    if (before === undefined || (before.row === cell.row && before.column === cell.column)) continue;
    const relation = `${kind} ${before.text} ${cell.text}`;
    counts.set(relation, (counts.get(relation) ?? 0) + 1);
  }
}

function plain(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, '').toLowerCase();
}

/** Returns tables of the service's text: lines in sequence that have cells. */
function gridsOf(text: string): Grid[] {
  const grids: Grid[] = [new Map()];
  let row = 0;
  for (const line of text.split('\n')) {
    const grid = grids.at(-1);
    if (!line.includes(CELL_BREAK)) {
      if (grid !== undefined && grid.size > 0) grids.push(new Map());
      row = 0;
      continue;
    }
    for (const [column, cell] of line.split(CELL_BREAK).entries())
      grid?.set(`${row} ${column}`, { row, column, text: plain(cell) });
    row++;
  }
  return grids;
}

/** Returns tables of a file of the collection. */
function gridsIn(xml: string): Grid[] {
  return xml
    .split('<table ')
    .slice(1)
    .map((table) => {
      const grid: Grid = new Map();
      for (const region of table.split('<region ').slice(1)) addRegion(grid, region);
      return grid;
    });
}

function addRegion(grid: Grid, region: string): void {
  const attribute = (text: string, name: string) =>
    Number(new RegExp(`${name}=["'](-?\\d+)`).exec(text)?.[1] ?? Number.NaN);
  const [rowsBefore, columnsBefore] = [
    attribute(region, 'row-increment') || 0,
    attribute(region, 'col-increment') || 0,
  ];
  for (const [, head = '', written = ''] of region.matchAll(
    /<cell ([^>]*)>[\s\S]*?<content>([\s\S]*?)<\/content>/g,
  )) {
    const [row, column] = [
      attribute(head, 'start-row') + rowsBefore,
      attribute(head, 'start-col') + columnsBefore,
    ];
    const lastRow = (attribute(head, 'end-row') || attribute(head, 'start-row')) + rowsBefore;
    const lastColumn = (attribute(head, 'end-col') || attribute(head, 'start-col')) + columnsBefore;
    const text = plain(
      written.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? ''),
    );
    for (let each = row; each <= lastRow; each++)
      for (let other = column; other <= lastColumn; other++)
        grid.set(`${each} ${other}`, { row, column, text });
  }
}
