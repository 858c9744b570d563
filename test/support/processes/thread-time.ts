import { readFileSync } from 'node:fs';

/**
 * Returns the CPU time in milliseconds of a process' first thread, which answers all requests of a service. Unlike wall time,
 * it doesn't count other work on the host. Linux only.
 */
export function threadTime(pid: number): number {
  const [onProcessor] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(onProcessor) / 1e6;
}
