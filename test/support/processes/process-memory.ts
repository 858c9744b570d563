import { readFileSync } from 'node:fs';

/** Linux only: the resident set of a process and its threads. */
export function residentMegabytes(pid: number): number {
  return megabytesOf(pid, 'VmRSS');
}

/** Linux only: its peak. */
export function peakMegabytes(pid: number): number {
  return megabytesOf(pid, 'VmHWM');
}

function megabytesOf(pid: number, field: string): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}
