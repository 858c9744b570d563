/** A queue whose messages are taken by so many workers at once, in the order in which they arrive. */
export interface Station {
  perSecond: number;
  seconds: number;
  workers: number;
}

export interface Waits {
  /** Seconds that one in twenty waits longer than. */
  p95: number;
  /** The share of the time in which a worker is busy. */
  busy: number;
  /** The share that waits longer than `patience`. */
  late: number;
}

const HOUR = 3600;

/**
 * Simulates an hour: arrivals at random (Poisson), and times that vary as much as their mean (exponential). Little's law gives
 * how many are in work on average, but not how long one waits at a limit, which is what people notice. The same seed gives the
 * same hour, so that results can be tested.
 */
export function simulateHour({ perSecond, seconds, workers }: Station, patience = 20, seed = 1): Waits {
  const random = seededRandom(seed);
  const exponential = (mean: number) => -mean * Math.log(1 - random());
  const freeAt = new Float64Array(workers);
  const waits: number[] = [];
  let inWork = 0;
  for (let now = exponential(1 / perSecond); now < HOUR; now += exponential(1 / perSecond)) {
    const next = earliest(freeAt);
    const start = Math.max(now, freeAt[next] ?? 0);
    const work = exponential(seconds);
    freeAt[next] = start + work;
    inWork += Math.min(work, Math.max(0, HOUR - start));
    waits.push(start - now);
  }
  waits.sort((a, b) => a - b);
  return {
    p95: waits[Math.floor(waits.length * 0.95)] ?? 0,
    busy: inWork / (HOUR * workers),
    late: waits.filter((wait) => wait > patience).length / Math.max(waits.length, 1),
  };
}

function earliest(freeAt: Float64Array): number {
  let found = 0;
  for (let index = 1; index < freeAt.length; index++)
    if ((freeAt[index] ?? 0) < (freeAt[found] ?? 0)) found = index;
  return found;
}

/** Numbers from 0 to below 1 that repeat with the seed: mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
