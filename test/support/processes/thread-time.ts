import { readFileSync } from 'node:fs';

/**
 * Milliseconds that the first thread of a process, which answers all requests of a service, was on a processor. Unlike the
 * clock it does not count what else the machine does. Linux only.
 */
export function threadTime(pid: number): number {
  const [onProcessor] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(onProcessor) / 1e6;
}
