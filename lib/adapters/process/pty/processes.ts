import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { descendants } from '../group-use.ts';

interface ProcessRow {
  pid: number;
  parent: number;
  /** The process group in the foreground of the process's terminal. */
  foreground: number;
}

/** Returns the process group in the foreground of a process's terminal; undefined if there is none. */
export function foregroundOf(pid: number): number | undefined {
  const row = process.platform === 'linux' ? readRow(pid) : processTable().find((each) => each.pid === pid);
  return row !== undefined && row.foreground > 1 ? row.foreground : undefined;
}

/** Kills a process and all its descendants. */
export function killTree(pid: number): void {
  const children = Map.groupBy(processTable(), ({ parent }) => parent);
  send(pid, 'SIGKILL');
  for (const each of descendants(children, pid)) send(each.pid, 'SIGKILL');
}

/** Sends a signal to a process, or to a group (a negative number). Does nothing if it has ended. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended
  }
}

function processTable(): ProcessRow[] {
  if (process.platform !== 'linux') return readPs();
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readRow(Number(name)) ?? []) : []));
}

/** Reads a process's stat. The name, which ends at the last bracket, may contain anything. */
function readRow(pid: number): ProcessRow | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [, parent, , , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), foreground: Number(foreground) };
  } catch {
    return undefined;
  }
}

function readPs(): ProcessRow[] {
  const text = execFileSync('ps', ['-axo', 'pid=,ppid=,tpgid=']).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0, foreground = 0]) => ({ pid, parent, foreground }));
}
