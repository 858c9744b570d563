import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { MAX_PROCESSES } from './shell.ts';

/** Limits for a program and all its descendants together. */
export interface GroupBounds {
  memoryBytes: number;
  /** Number of processes, including threads. */
  processes: number;
}

const MB = 1024 ** 2;
const MAX_MEMORY_BYTES = 4096 * MB;
/** A command's maximum share of memory. On a small host or container, the rest stays for the service. */
const MAX_SHARE = 0.75;
/** Number of the sandbox's own processes. With these, the kernel's own limit inside takes effect first. */
const OWN_PROCESSES = 16;

/** The limits of a command in a sandbox. */
export const SANDBOX_BOUNDS: GroupBounds = {
  memoryBytes: Math.min(MAX_MEMORY_BYTES, MAX_SHARE * memoryHere()),
  processes: MAX_PROCESSES + OWN_PROCESSES,
};

function memoryHere(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Milliseconds between two checks. Most commands end before the first. */
const LOOK_EVERY_MS = 200;

interface Watched {
  bounds: GroupBounds;
  exceeded(what: string): void;
}

const watched = new Map<number, Watched>();
let timer: NodeJS.Timeout | undefined;

/**
 * Periodically checks from outside how much a program and its descendants use, and reports an excess once. In
 * a PID namespace, no process leaves its parent's tree. Limits set inside apply to each process alone, and an
 * ordinary user gets no cgroup. Returns a function that stops watching. Works only on Linux.
 */
export function watchUse(pid: number, bounds: GroupBounds, exceeded: Watched['exceeded']): () => void {
  watched.set(pid, { bounds, exceeded });
  timer ??= setInterval(lookAtAll, LOOK_EVERY_MS);
  return () => {
    watched.delete(pid);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface Process {
  pid: number;
  parent: number;
  threads: number;
  residentBytes: number;
}

/** Reads /proc once for all watched programs. */
function lookAtAll(): void {
  const children = Map.groupBy(readProcesses(), ({ parent }) => parent);
  for (const [pid, { bounds, exceeded }] of watched) {
    const group = descendants(children, pid);
    for (const process of group) preferToEnd(process.pid);
    const what = excess(group, bounds);
    if (what === undefined) continue;
    watched.delete(pid);
    exceeded(what);
  }
}

function excess(group: Process[], { memoryBytes, processes }: GroupBounds): string | undefined {
  if (sum(group, ({ threads }) => threads) > processes) return `had more than ${processes} processes`;
  // This counts shared memory for each process, so groups over the limit are measured exactly.
  const roughly = sum(group, ({ residentBytes }) => residentBytes);
  if (Math.max(roughly, sharedBytesHere()) <= memoryBytes || exactBytes(group) <= memoryBytes)
    return undefined;
  return `used more than ${Math.floor(memoryBytes / MB)} MB of memory`;
}

function readProcesses(): Process[] {
  return numbersIn('/proc').flatMap((pid) => readProcess(pid) ?? []);
}

/** Reads a process's stat. The name, which ends at the last bracket, may contain anything. */
function readProcess(pid: number): Process | undefined {
  const text = readIfThere(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 22) return undefined;
  return {
    pid,
    parent: Number(fields[1]),
    threads: Number(fields[17]),
    residentBytes: Number(fields[21]) * PAGE_BYTES,
  };
}

const PAGE_BYTES = readPageBytes();

/**
 * Reads the page size (number 6) from the auxiliary vector that the kernel passes to each program: pairs of
 * 64-bit numbers.
 */
function readPageBytes(): number {
  try {
    const pairs = new BigUint64Array(Uint8Array.from(readFileSync('/proc/self/auxv')).buffer);
    return Number(pairs[pairs.findIndex((key, index) => index % 2 === 0 && key === 6n) + 1]);
  } catch {
    return 4096;
  }
}

/** Returns all descendants of a process, from a list of processes grouped by their parent. */
export function descendants<Row extends { pid: number }>(children: Map<number, Row[]>, pid: number): Row[] {
  const found: Row[] = [];
  for (let level = children.get(pid) ?? []; level.length > 0; ) {
    found.push(...level);
    level = level.flatMap((process) => children.get(process.pid) ?? []);
  }
  return found;
}

/**
 * When memory runs out, makes the kernel kill a command before the service. A command may have reset what its
 * shell set.
 */
function preferToEnd(pid: number): void {
  const place = `/proc/${pid}/oom_score_adj`;
  if (readIfThere(place).trim() === '1000') return;
  try {
    writeFileSync(place, '1000');
  } catch {
    // it has ended, or belongs to another user
  }
}

/** Returns the bytes of memory files. They use the host's memory, but belong to no process. */
function sharedBytesHere(): number {
  const [, kilobytes] = /^Shmem: +(\d+) kB$/m.exec(readIfThere('/proc/meminfo')) ?? [];
  return Number(kilobytes ?? 0) * 1024;
}

/**
 * Returns exact bytes. Counts each page once, however many processes share it, and the contents of memory
 * files that aren't mapped.
 */
function exactBytes(group: Process[]): number {
  const rollups = group.map(({ pid, residentBytes }) => readRollup(pid, residentBytes));
  const mapped = sum(rollups, ({ shared }) => shared);
  return sum(rollups, ({ own }) => own) + Math.max(mapped, memoryFileBytes(group));
}

function readRollup(pid: number, residentBytes: number): { own: number; shared: number } {
  const text = readIfThere(`/proc/${pid}/smaps_rollup`);
  const field = (name: string) =>
    Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024;
  if (text === '') return { own: residentBytes, shared: 0 };
  const shared = field('Pss_Shmem');
  return { own: field('Pss') - shared, shared };
}

function memoryFileBytes(group: Process[]): number {
  const sizes = new Map<string, number>();
  for (const { pid } of group)
    for (const fd of numbersIn(`/proc/${pid}/fd`)) noteMemoryFile(`/proc/${pid}/fd/${fd}`, sizes);
  return sum([...sizes.values()], (size) => size);
}

function noteMemoryFile(place: string, sizes: Map<string, number>): void {
  try {
    if (!readlinkSync(place).startsWith('/memfd:')) return;
    const { dev, ino, blocks } = statSync(place);
    sizes.set(`${dev}:${ino}`, blocks * 512);
  } catch {
    // closed in the meantime
  }
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .map(Number)
      .filter((number) => !Number.isNaN(number));
  } catch {
    return [];
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function sum<Item>(items: Item[], numberOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
