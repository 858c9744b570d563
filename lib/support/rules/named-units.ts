import type { Language } from './language.ts';
import { readNumbers } from './numbers.ts';

/** The unit of numbers that don't state it themselves: the header of their column or a caption does. */
export interface NamedUnit {
  /** What the numbers are multiplied by: 1,000,000 for `in million euros`. */
  factor: number;
  units: string[];
}

/** A number before the text, so that it is read as any other number with its unit. */
const PROBE = 5;
const MAX_WORDS = 60;
/** The number of words that a unit with its scale has: `million tons of coal`. */
const UNIT_WORDS = 4;

/** Reads the unit that the whole text names: `%`, `million euros`. Undefined if it names none. */
export function unitNamed(text: string, language?: Language): NamedUnit | undefined {
  return readUnit(text, language) ?? readUnit(text.toLowerCase(), language);
}

function readUnit(text: string, language?: Language): NamedUnit | undefined {
  const [read] = readNumbers(`${PROBE} ${text}`, language);
  if (read === undefined || (read.value === PROBE && read.units.length === 0)) return undefined;
  return { factor: read.value / PROBE, units: read.units };
}

/**
 * Reads the scale that a caption names: `Revenue by region (EUR million)`. A unit without a scale isn't read, because each
 * number has its own in most tables.
 */
export function scaleNamed(caption: string, language?: Language): NamedUnit | undefined {
  const words = caption.split(/[\s(),;:[\]（），：]+/u, MAX_WORDS);
  for (const at of words.keys()) {
    const found = unitNamed(words.slice(at, at + UNIT_WORDS).join(' '), language);
    if (found === undefined || found.factor === 1) continue;
    const before = found.units.length > 0 ? undefined : unitNamed(words[at - 1] ?? '', language);
    return { factor: found.factor, units: before?.units ?? found.units };
  }
  return undefined;
}
