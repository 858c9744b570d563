import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the CPU time in milliseconds of a process's first thread, which handles all requests of a service.
 * Unlike wall time, it excludes other work on the host. Linux only.
 */
export function threadTime(pid: number): number {
  return threadTimes(pid).worked;
}

/** Returns the same, and the milliseconds that it waited for a processor that other threads used. */
export function threadTimes(pid: number): { worked: number; queued: number } {
  return readTimes(`${pid}/task/${pid}`);
}

/**
 * Returns the milliseconds that the calling thread and all threads of a process waited for a processor. The
 * first thread also waits for the threads that collect garbage with it.
 */
export function queuedTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => `${pid}/task/${id}`);
  return ['thread-self', ...threads].reduce((sum, thread) => sum + queuedOf(thread), 0);
}

/** A thread may have ended since it was listed. */
function queuedOf(thread: string): number {
  try {
    return readTimes(thread).queued;
  } catch {
    return 0;
  }
}

function readTimes(thread: string): { worked: number; queued: number } {
  const [worked, queued] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ');
  return { worked: Number(worked) / 1e6, queued: Number(queued) / 1e6 };
}
