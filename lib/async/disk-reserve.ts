import { AsyncLocalStorage } from 'node:async_hooks';

/** Bytes of the reserve that workers leave for API calls. */
export const LEFT_TO_CALLS_BYTES = 4 * 1024 * 1024;

/** Bytes of the reserve that this work must not use. */
const leaves = new AsyncLocalStorage<number>();

/** Runs work that frees space, such as a deletion. On a full disk, its records are written into the reserve. */
export function withDiskReserve<Result>(work: () => Result, leavesBytes = 0): Result {
  return leaves.run(leavesBytes, work);
}

/** Returns the bytes that the reserve must keep; undefined for work that has to wait for space. */
export function bytesLeftInReserve(): number | undefined {
  return leaves.getStore();
}
