import { readFileSync } from 'node:fs';

/**
 * Returns whether any process, even another user's, has this ID. It may be a later process than the one
 * meant.
 */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

let self: string | undefined;

/** Returns process ID and start time: an ID may be used again, but not with the same time. */
export function thisProcess(): string {
  self ??= `${process.pid}:${startTimeOf(process.pid)}`;
  return self;
}

/** Returns whether the process with this name (thisProcess) still runs on this host. */
export function isOwnerAlive(owner: string): boolean {
  const [pid, started] = owner.split(':');
  return isProcessAlive(Number(pid)) && startTimeOf(Number(pid)) === started;
}

/** Returns a process's CPU time in milliseconds; undefined without /proc or without such a process. */
export function processorTimeOf(pid: number): number | undefined {
  const fields = statOf(pid);
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The unit of process times in Linux. */
const TICK_MS = 10;

/**
 * Returns the fields of /proc/pid/stat from the third one on. The name, which precedes them, may contain
 * spaces.
 */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * Returns the start of a process in clock ticks since boot (field 22 of /proc/pid/stat); `0` without /proc, `dead` for
 * a zombie process (its ID still accepts signals).
 */
export function startTimeOf(pid: number): string {
  const fields = statOf(pid);
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? 'dead' : (fields?.[19] ?? '0');
}
