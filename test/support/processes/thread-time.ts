import { readFileSync } from 'node:fs';

/**
 * Milliseconds that the first thread of a process, which answers all requests of a service, was on a processor. Unlike the
 * clock it does not count what else the machine does. Linux only.
 */
export function threadTime(pid: number): number {
  return threadTimes(pid).worked;
}

/** The same, and the milliseconds that it waited for a processor, which other threads had. */
export function threadTimes(pid: number): { worked: number; queued: number } {
  const [worked, queued] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return { worked: Number(worked) / 1e6, queued: Number(queued) / 1e6 };
}
