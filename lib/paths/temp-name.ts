import { randomUUID } from 'node:crypto';

/** A file that is being written lies beside its target under such a name; browsing and indexing leave it out. */
export function tempName(): string {
  return `.wrs-${randomUUID()}.tmp`;
}

/** What is being replaced lies in a directory of such a name for a moment, under its own. */
export function asideName(): string {
  return `.wrs-${randomUUID()}.old`;
}

/** A fresh hidden name in the same directory; dirname() would do, were it not for `/proc/self/fd/N/..`. */
export function besides(entry: string, name = tempName()): string {
  return `${entry.slice(0, entry.lastIndexOf('/'))}/${name}`;
}

export function isTempName(name: string): boolean {
  return /^\.wrs-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(tmp|old)$/.test(name);
}

export function isAsideName(name: string): boolean {
  return isTempName(name) && name.endsWith('.old');
}
