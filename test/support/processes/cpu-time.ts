/**
 * The processor time in milliseconds that some work takes in this process. Unlike the time on the clock it does not grow
 * when the machine is busy or stands still.
 */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
