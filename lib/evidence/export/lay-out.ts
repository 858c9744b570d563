import { partLabel } from '../../api-contract/part-label.ts';
import { pathWithLines } from '../../api-contract/shown-place.ts';
import { withoutNotXml } from '../../formats/office/xml-part.ts';
import type { EvidenceCell, EvidenceRow } from '../request-schema.ts';
import type { EvidenceTable } from '../schema.ts';

/**
 * A table for an export. Its texts come from documents and models, so each writer escapes them. They have no characters
 * that Office files can't contain.
 */
export interface LaidOutTable {
  name: string;
  /** The headings: the document, its path, and the columns with their units. */
  headings: string[];
  rows: (string | number)[][];
  /** Every quote with its document, column, value, and location. */
  quotes: { heading: string[]; rows: string[][] };
}

/** Lays out a table with its quotes. The state of a cell that isn't simply found is in brackets. */
export function layOutTable({ name, columns }: EvidenceTable, rows: EvidenceRow[]): LaidOutTable {
  const headingOf = ({ name, unit }: (typeof columns)[number]) =>
    unit === undefined ? name : `${name} (${unit})`;
  const quoted = rows.flatMap(({ title, cells }) =>
    columns.flatMap((column) =>
      (cells[column.id]?.citations ?? []).map((citation) => [
        ...[title, citation.path, column.name, citation.value, citation.quote],
        [pathWithLines(citation), partLabel(citation)].filter(Boolean).join(', '),
      ]),
    ),
  );
  const shown = rows.map(({ title, path, cells }) => [
    title,
    path,
    ...columns.map(({ id }) => showCell(cells[id])),
  ]);
  return {
    name: withoutNotXml(name),
    headings: ['Document', 'Path', ...columns.map(headingOf)].map(withoutNotXml),
    rows: shown.map((row) => row.map((cell) => (typeof cell === 'string' ? withoutNotXml(cell) : cell))),
    quotes: {
      heading: ['Document', 'Path', 'Column', 'Value', 'Quote', 'Location'],
      rows: quoted.map((row) => row.map(withoutNotXml)),
    },
  };
}

function showCell(cell: EvidenceCell | undefined): string | number {
  if (cell === undefined) return '';
  const { value, state, verified, corrected, citations } = cell;
  if (state === 'disputed') return `[disputed: ${citations.map((citation) => citation.value).join(' / ')}]`;
  if (state === 'failed') return '[failed]';
  if (value === null) return '[not stated]';
  const shown = typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
  if (corrected === undefined && !verified) return `${shown} [not verified]`;
  return shown;
}
