/** How many of so many random tries a test makes: a fifth by default, all of them in the long lane (test/lanes/long.ts). */
export function tries(all: number): number {
  return Math.ceil(all * Number(process.env.TRIES ?? 0.2));
}
