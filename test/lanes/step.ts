/** A step with its name and its duration; a failed step ends the lane. */
export async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const result = await work();
  process.stdout.write(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  return result;
}
