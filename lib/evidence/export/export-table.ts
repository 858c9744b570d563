import { exportName } from '../../api-contract/export-name.ts';
import { escapeProse } from '../../markdown/code.ts';
import type { BeginPorts } from '../../runs/ports.ts';
import { toCsvLines } from '../../text/csv.ts';
import { readContents } from '../contents.ts';
import { showRows, withTitles } from '../describe.ts';
import type { EXPORT_FORMATS } from '../request-schema.ts';
import type { EvidenceTable } from '../schema.ts';
import { type LaidOutTable, layOutTable } from './lay-out.ts';
import { toTableDocx, toXlsx } from './office.ts';

type Format = (typeof EXPORT_FORMATS)[number];

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** A byte order mark tells Excel that the text is UTF-8. */
const UTF8_MARK = '\ufeff';

const WRITERS: Record<Format, { write: (table: LaidOutTable) => string | Buffer; contentType: string }> = {
  csv: {
    write: ({ headings, rows }) => UTF8_MARK + toCsvLines([headings, ...rows]),
    contentType: 'text/csv; charset=utf-8',
  },
  md: { write: toMarkdown, contentType: 'text/markdown; charset=utf-8' },
  xlsx: { write: toXlsx, contentType: `${OFFICE}.spreadsheetml.sheet` },
  docx: { write: toTableDocx, contentType: `${OFFICE}.wordprocessingml.document` },
};

/** Exports a table as it is now. All formats except CSV contain its quotes. */
export async function exportTable({ records }: BeginPorts, table: EvidenceTable, format: Format) {
  const rows = showRows(table, await readContents(records, table));
  const laidOut = layOutTable(table, await withTitles(records, table, rows));
  const { write, contentType } = WRITERS[format];
  return {
    bytes: Buffer.from(write(laidOut)),
    contentType,
    name: exportName(table.name, format, 'table'),
  };
}

function toMarkdown({ name, headings, rows, quotes }: LaidOutTable): string {
  const line = (cells: (string | number)[]) =>
    `| ${cells.map((cell) => escapeProse(String(cell))).join(' | ')} |`;
  const table = (heading: string[], body: (string | number)[][]) => [
    line(heading),
    `|${' --- |'.repeat(heading.length)}`,
    ...body.map(line),
  ];
  const parts = [`# ${escapeProse(name)}`, table(headings, rows).join('\n')];
  const cited = quotes.rows.length === 0 ? [] : ['## Quotes', table(quotes.heading, quotes.rows).join('\n')];
  return `${[...parts, ...cited].join('\n\n')}\n`;
}
