import type { DateFact } from './dates.ts';
import type { Quantity } from './quantity.ts';

const MONTHS_IN: Record<string, number> = { month: 1, year: 12, decade: 120 };
/** A tolerance, because a month may start on any day. */
const ABOUT_A_MONTH = 1.01;

/** The words between the two ends of a change. */
const FROM_TO = /^\s*(?:to|until|till|-|–|bis|auf|à|hasta|至|到)\s*\p{Sc}?$/u;

/** The facts of a sentence that are also in its source. */
interface Known {
  text: string;
  quantities: Quantity[];
  dates: DateFact[];
}

/**
 * Returns whether a sentence itself states how an amount follows: `by 13.6 points, from 71.3 % to 84.9 %`,
 * `for three years, from April 2021 to March 2024`. The source must contain both ends. Other numbers may be
 * about other things, whatever their sum.
 */
export function isDerived(one: Quantity, { text, quantities, dates }: Known): boolean {
  const isChange = quantities.some((from, at) => {
    const to = quantities[at + 1];
    if (to === undefined || !FROM_TO.test(text.slice(from.end, to.start))) return false;
    return isOfKind(to, one) && isNear(Math.abs(from.value - to.value), one);
  });
  const [first, last] = dates;
  const between = first && last && text.slice(first.start + first.text.length, last.start);
  return isChange || (between !== undefined && FROM_TO.test(between) && isDuration(one, dates));
}

function isOfKind({ units }: Quantity, one: Quantity): boolean {
  const kind = (all: string[]) => all.map((unit) => (unit === 'percentage point' ? '%' : unit));
  return kind(units).some((unit) => unit !== '' && kind(one.units).includes(unit));
}

/** Allows for the rounding error of subtracted decimals. */
function isNear(value: number, { value: wanted }: Quantity): boolean {
  return wanted !== 0 && Math.abs(value - wanted) <= 1e-6 * Math.abs(wanted);
}

function isDuration({ value, units: [unit = ''] }: Quantity, [first, last]: DateFact[]): boolean {
  const months = MONTHS_IN[unit];
  if (months === undefined || first?.year === undefined || last?.year === undefined) return false;
  const between = 12 * (last.year - first.year) + ((last.month ?? 1) - (first.month ?? 1));
  return Math.abs(between - value * months) <= ABOUT_A_MONTH;
}
