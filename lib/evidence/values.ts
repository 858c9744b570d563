import { foldText } from '../api-contract/fold-text.ts';
import { type CellValue, type EvidenceColumn, MAX_VALUE } from './schema.ts';

export type ReadValue = { value: Exclude<CellValue, null> } | { reason: string };

const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?$/;
const DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/;
const BOOLEANS = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

/** Reads a value as a model or a person writes it, in the type of its column; otherwise returns why it doesn't fit. */
export function readValue(
  { type, choices = [], unit = '' }: EvidenceColumn,
  written: string | number | boolean,
): ReadValue {
  const text = String(written).replace(/\s+/g, ' ').trim();
  if (type === 'number')
    return readNumber(text.endsWith(unit) ? text.slice(0, text.length - unit.length).trim() : text);
  if (type === 'boolean') return valueOr(BOOLEANS.get(text.toLowerCase()), 'value_not_boolean');
  if (type === 'date') return valueOr(DATE.test(text) ? text : undefined, 'value_not_a_date');
  if (type === 'choice')
    return valueOr(
      choices.find((choice) => folded(choice) === folded(text)),
      'value_not_a_choice',
    );
  return valueOr(text === '' ? undefined : text.slice(0, MAX_VALUE).toWellFormed(), 'value_missing');
}

function readNumber(text: string): ReadValue {
  const plain = text.replace(/(?<=\d)[,\u00a0\u202f ](?=\d{3}(?!\d))/g, '').replace(/^\u2212/, '-');
  return valueOr(
    NUMBER.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : undefined,
    'value_not_a_number',
  );
}

function valueOr(value: Exclude<CellValue, null> | undefined, reason: string): ReadValue {
  return value === undefined ? { reason } : { value };
}

/** Returns whether two values of a column are the same, whatever their spelling. */
export function isSameValue(one: CellValue, other: CellValue): boolean {
  return folded(String(one)) === folded(String(other));
}

function folded(text: string): string {
  return foldText(text, { as: 'letters' }).text.toLowerCase().trim();
}

/** Returns a value as text, with the unit of its column. */
export function showValue(value: CellValue, { unit }: Pick<EvidenceColumn, 'unit'>): string {
  if (value === null) return '';
  return unit === undefined ? String(value) : `${value} ${unit}`;
}
