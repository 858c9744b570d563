import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { isProcessAlive, startTimeOf } from '../isolation/is-process-alive.ts';

/** Returns the name of a file that is being written next to its target; browsing and indexing skip it. */
export function tempName(): string {
  return `.wrs-${ownId()}.tmp`;
}

/** Returns the name of the directory that contains an entry, under its own name, while the entry is being replaced. */
export function asideName(): string {
  return `.wrs-${ownId()}.old`;
}

/** Returns a new hidden name in the same directory, without dirname(), which fails for `/proc/self/fd/N/..`. */
export function besides(entry: string, name = tempName()): string {
  return `${entry.slice(0, entry.lastIndexOf('/'))}/${name}`;
}

const NAME = /^\.wrs-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:tmp|old)$/;

export function isTempName(name: string): boolean {
  return NAME.test(name);
}

export function isAsideName(name: string): boolean {
  return isTempName(name) && name.endsWith('.old');
}

/** Returns whether a process of this host, since its boot, created this name. */
export function isOfThisHost(name: string): boolean {
  if (!isTempName(name)) return false;
  const digits = digitsOf(name);
  return digits[12] === '8' && digits.slice(0, 12) === machine();
}

/**
 * Returns whether the process that created this name has certainly ended. False for names from another host
 * or container, from an earlier boot or release, or of unknown origin. For these, only the age counts.
 */
export function isOfDeadProcess(name: string): boolean {
  if (!isOfThisHost(name)) return false;
  const digits = digitsOf(name);
  const pid = Number.parseInt(digits.slice(17, 23), 16);
  return !isProcessAlive(pid) || startOf(pid) !== digits.slice(13, 16);
}

function digitsOf(name: string): string {
  return NAME.exec(name)?.[1]?.replaceAll('-', '') ?? '';
}

/**
 * Returns a UUID of version 8, whose bits can be chosen: 48 for the host, 12 for the start of the process, 24
 * for its ID, 36 random.
 */
function ownId(): string {
  const random = randomBytes(5).toString('hex').slice(0, 9);
  const pid = (process.pid & 0xffffff).toString(16).padStart(6, '0');
  const digits = `${machine()}8${startOf(process.pid)}8${pid}${random}`;
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-');
}

function startOf(pid: number): string {
  return shortHash(startTimeOf(pid), 3);
}

let known: string | undefined;

/**
 * Returns an ID of this boot and PID namespace, because process IDs are meaningful only within one. Random if the
 * system reports neither.
 */
function machine(): string {
  known ??= readMachine();
  return known;
}

function readMachine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return shortHash(boot + readlinkSync('/proc/self/ns/pid'), 12);
  } catch {
    return randomBytes(6).toString('hex');
  }
}

function shortHash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
