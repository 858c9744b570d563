import type { DateFact } from './dates.ts';
import type { Quantity } from './quantity.ts';

/** Each number is compared with the sums of the others. */
const MAX_NUMBERS = 8;
const MONTHS_IN: Record<string, number> = { month: 1, year: 12, decade: 120 };
/** A month begins on any day. */
const ABOUT_A_MONTH = 1.01;

/** What of a sentence its source has. */
interface Known {
  quantities: Quantity[];
  dates: DateFact[];
}

/**
 * Whether a sentence states by itself how an amount comes about: `by 13.6 points, from 71.3 % to 84.9 %`, `for three years, from April 2021 to
 * March 2024`. The source must have both parts. A number without a unit may count something else.
 */
export function isDerived(one: Quantity, { quantities, dates }: Known): boolean {
  const parts = quantities.filter((other) => isOfKind(other, one)).slice(0, MAX_NUMBERS);
  const makes = (a: Quantity, b: Quantity) =>
    isNear(Math.abs(a.value - b.value), one) || isNear(a.value + b.value, one);
  const isResult = parts.some((a, at) => parts.slice(at + 1).some((b) => makes(a, b)));
  return isResult || isDuration(one, dates);
}

function isOfKind({ units }: Quantity, one: Quantity): boolean {
  const kind = (all: string[]) => all.map((unit) => (unit === 'percentage point' ? '%' : unit));
  return kind(units).some((unit) => unit !== '' && kind(one.units).includes(unit));
}

/** What subtracting decimals makes of them. */
function isNear(value: number, { value: wanted }: Quantity): boolean {
  return wanted !== 0 && Math.abs(value - wanted) <= 1e-6 * Math.abs(wanted);
}

function isDuration({ value, units: [unit = ''] }: Quantity, [first, last]: DateFact[]): boolean {
  const months = MONTHS_IN[unit];
  if (months === undefined || first?.year === undefined || last?.year === undefined) return false;
  const between = 12 * (last.year - first.year) + ((last.month ?? 1) - (first.month ?? 1));
  return Math.abs(between - value * months) <= ABOUT_A_MONTH;
}
