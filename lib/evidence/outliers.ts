/** Values that are fewer have no usual range. */
const LEAST_VALUES = 5;
/** Makes the median deviation of normally distributed values equal to their standard deviation. */
const SCALE = 1.4826;
/** From this distance on, in scaled median deviations, a value is unusual: 0.3 % of normally distributed values are. */
const FAR = 3;

/**
 * Returns how far a number is from the median of a column if that is unusual; undefined otherwise, and if most values
 * are equal. The median and its deviation (MAD) aren't moved by the outliers themselves.
 */
export function outlierFinder(values: number[]): (value: number) => number | undefined {
  if (values.length < LEAST_VALUES) return () => undefined;
  const middle = median(values);
  const deviation = SCALE * median(values.map((value) => Math.abs(value - middle)));
  if (!(deviation > 0)) return () => undefined;
  return (value) => {
    const distance = Math.abs(value - middle) / deviation;
    return distance > FAR ? Math.round(distance * 10) / 10 : undefined;
  };
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (low + high) / 2;
}
