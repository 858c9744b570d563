/** Units of one dimension that exact factors join; a month has no fixed length in days. */
const DIMENSIONS: Record<string, number>[] = [
  {
    ...{ nanosecond: 1e-9, microsecond: 1e-6, millisecond: 1e-3, second: 1, minute: 60, hour: 3600 },
    ...{ day: 86_400, week: 604_800 },
  },
  { month: 1, year: 12, decade: 120, century: 1200 },
  { nanometre: 1e-9, micrometre: 1e-6, millimetre: 1e-3, centimetre: 0.01, metre: 1, kilometre: 1000 },
  { microgram: 1e-6, milligram: 1e-3, gram: 1, kilogram: 1000, tonne: 1e6 },
  { millilitre: 1e-3, litre: 1 },
  { watt: 1, kilowatt: 1e3, megawatt: 1e6, gigawatt: 1e9 },
  { hertz: 1, kilohertz: 1e3, megahertz: 1e6, gigahertz: 1e9 },
  { pascal: 1, hectopascal: 100, kilopascal: 1e3, megapascal: 1e6 },
  { 'basis point': 0.01, 'percentage point': 1 },
];

/** How many of one unit make one of another; undefined where no exact factor does. */
export function factorBetween(unit: string, other: string): number | undefined {
  const dimension = DIMENSIONS.find((units) => unit in units && other in units);
  const [one, another] = [dimension?.[unit], dimension?.[other]];
  return one === undefined || another === undefined ? undefined : one / another;
}
