import * as z from 'zod';
import { foldText } from '../api-contract/fold-text.ts';
import { factorBetween, unitAt } from '../support/rules/units.ts';
import { type CellValue, type EvidenceColumn, MAX_VALUE } from './schema.ts';

export type ReadValue = { value: Exclude<CellValue, null> } | { reason: string };

/** A number, and the unit after it. */
const AMOUNT =
  /^(?<number>[-+\u2212]?\d(?:[\d.,\u00a0\u202f ]*\d)?(?:[eE][-+]?\d{1,3}(?!\d))?)[\u00a0\u202f ]*(?<written>\D.*)?$/u;
const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?$/;
/** The digits to which a converted number is rounded, so that 1.005 kg are 1005 g. */
const DIGITS = 12;
const PART_OF_DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2]))?$/;
const day = z.iso.date();
const BOOLEANS = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

/** Reads a value as a model or a person writes it, in the type of its column; otherwise returns why it doesn't fit. */
export function readValue(
  { type, choices = [], unit }: EvidenceColumn,
  written: string | number | boolean,
): ReadValue {
  const text = String(written).replace(/\s+/g, ' ').trim();
  if (type === 'number') return valueOr(readNumber(text, unit), 'value_not_a_number');
  if (type === 'boolean') return valueOr(BOOLEANS.get(text.toLowerCase()), 'value_not_boolean');
  if (type === 'date') return valueOr(isDate(text) ? text : undefined, 'value_not_a_date');
  if (type === 'choice')
    return valueOr(
      choices.find((choice) => isSameValue(choice, text)),
      'value_not_a_choice',
    );
  return valueOr(text === '' ? undefined : text.slice(0, MAX_VALUE).toWellFormed(), 'value_missing');
}

function isDate(text: string): boolean {
  return PART_OF_DATE.test(text) || day.safeParse(text).success;
}

/** Reads a number in the unit of its column, or in one that is converted exactly. */
function readNumber(text: string, unit = ''): number | undefined {
  const { number = '', written = '' } = AMOUNT.exec(text)?.groups ?? {};
  const plain = number.replace(/(?<=\d)[,\u00a0\u202f ](?=\d{3}(?!\d))/g, '').replace(/^\u2212/, '-');
  const factor = factorTo(unit, written);
  if (!NUMBER.test(plain) || factor === undefined) return undefined;
  const value = factor === 1 ? Number(plain) : Number((Number(plain) * factor).toPrecision(DIGITS));
  return Number.isFinite(value) ? value : undefined;
}

function factorTo(unit: string, written: string): number | undefined {
  if (written === '' || written === unit) return 1;
  const [from, to] = [nameOf(written), nameOf(unit)];
  if (from === undefined || to === undefined) return undefined;
  return from === to ? 1 : factorBetween(from, to);
}

/** Returns the name of the unit that is the whole text. */
function nameOf(unit: string): string | undefined {
  const found = unitAt(` ${unit}`);
  return found?.length === unit.length + 1 ? found.name : undefined;
}

function valueOr(value: Exclude<CellValue, null> | undefined, reason: string): ReadValue {
  return value === undefined ? { reason } : { value };
}

/** Returns whether two values of a column are the same, whatever their spelling. */
export function isSameValue(one: CellValue, other: CellValue): boolean {
  return foldValue(one) === foldValue(other);
}

export function foldValue(value: CellValue): string {
  return foldText(String(value), { as: 'letters' }).text.toLowerCase().trim();
}

/** Returns a value as text, with the unit of its column. */
export function showValue(value: CellValue, { unit }: Pick<EvidenceColumn, 'unit'>): string {
  if (value === null) return '';
  return unit === undefined ? String(value) : `${value} ${unit}`;
}
