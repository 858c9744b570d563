/**
 * Number of random attempts in a test: a fifth by default, all of them in the long lane (test/lanes/long.ts).
 */
export function tries(all: number): number {
  return Math.ceil(all * Number(process.env.TRIES ?? 0.2));
}
