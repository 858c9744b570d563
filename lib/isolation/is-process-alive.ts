import { readFileSync } from 'node:fs';

/** Whether a process has this id, be it another user's. An id may have been given to another process since. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

let self: string | undefined;

/** Process id and start time: ids are used again, the pair is not. */
export function thisProcess(): string {
  self ??= `${process.pid}:${startTimeOf(process.pid)}`;
  return self;
}

/** Whether the process that called itself so (thisProcess) still runs, on this machine. */
export function isOwnerAlive(owner: string): boolean {
  const [pid, started] = owner.split(':');
  return isProcessAlive(Number(pid)) && startTimeOf(Number(pid)) === started;
}

/** Processor time that a process has had, in milliseconds; undefined where there is no /proc, or no such process. */
export function processorTimeOf(pid: number): number | undefined {
  const fields = statOf(pid);
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The clock in which Linux gives times of processes. */
const TICK_MS = 10;

/** The fields of /proc/pid/stat from the third one on: the name before them may have blanks. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * The start of a process in clock ticks since boot (field 22 of /proc/pid/stat); `0` where there is no /proc, `dead` for
 * a process that has ended but was not waited for (its id still answers signals).
 */
export function startTimeOf(pid: number): string {
  const fields = statOf(pid);
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? 'dead' : (fields?.[19] ?? '0');
}
