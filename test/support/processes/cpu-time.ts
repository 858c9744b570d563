/**
 * Returns the CPU time in milliseconds that some work takes in this process. Unlike wall time, it doesn't grow when the host is
 * busy or suspended.
 */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
