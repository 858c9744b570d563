/**
 * Delimited text says nothing of types: what all cells of a column look like, of the rows that were read, is taken for its
 * type. The cells stay the text that they are. Empty ones, and what stands for them, tell nothing.
 */
const LOOKS: [type: string, looks: RegExp][] = [
  ['bool', /^(?:true|false)$/i],
  // Numbers with a leading zero are texts (postal codes), and so are those with more digits than a number can hold.
  ['integer', /^[+-]?(?:0|[1-9]\d{0,14})$/],
  ['number', /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i],
  ['date', /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/],
  [
    'timestamp',
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/,
  ],
];
const NOTHING = /^(?:|null|na|n\/a|nan|none)$/i;

export function typeOfTexts(cells: unknown[]): string {
  const told = cells.map((cell) => String(cell ?? '').trim()).filter((text) => !NOTHING.test(text));
  if (told.length === 0) return 'string';
  return LOOKS.find(([, looks]) => told.every((text) => looks.test(text)))?.[0] ?? 'string';
}
