import type { DateFact } from './dates.ts';
import type { Quantity } from './quantity.ts';

/** Each number is compared with the sums of the others. */
const MAX_NUMBERS = 8;
const MONTHS_IN: Record<string, number> = { month: 1, year: 12, decade: 120 };
/** A month begins on any day. */
const ABOUT_A_MONTH = 1.01;

/**
 * Whether a sentence states by itself how a number comes about: `by 13.6 points, from 71.3 to 84.9`, `12 by day and 5 by night, 17 in
 * all`, `for three years, from April 2021 to March 2024`. Its parts are looked for like any other number.
 */
export function isDerived(
  one: Quantity,
  { quantities, dates }: { quantities: Quantity[]; dates: DateFact[] },
): boolean {
  const others = quantities.filter((other) => other !== one && isOfKind(other, one)).slice(0, MAX_NUMBERS);
  const isResult = others.some((a, at) =>
    others
      .slice(at + 1)
      .some((b) => isNear(Math.abs(a.value - b.value), one) || isNear(a.value + b.value, one)),
  );
  return isResult || isDuration(one, dates);
}

function isOfKind({ units }: Quantity, one: Quantity): boolean {
  const kind = (all: string[]) => all.map((unit) => (unit === 'percentage point' ? '%' : unit));
  const [own, wanted] = [kind(units), kind(one.units)];
  return own.length === 0 ? wanted.length === 0 : own.some((unit) => wanted.includes(unit));
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
