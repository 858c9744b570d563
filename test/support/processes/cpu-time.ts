import { readFileSync } from 'node:fs';

/** The clock unit of process times in Linux. */
const TICK_MS = 10;

/**
 * Returns the CPU time in milliseconds that a function takes in this process. Unlike wall time, it doesn't
 * grow when the host is busy or suspended.
 */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The same for processes that the function starts, if it waits for their end. Linux only. */
export async function childCpuTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = endedChildrenTime();
  await work();
  return endedChildrenTime() - before;
}

function endedChildrenTime(): number {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(13, 15);
  return (Number(user) + Number(system)) * TICK_MS;
}
