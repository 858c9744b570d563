export type Lance = typeof import('@lancedb/lancedb');

let lance: Promise<Lance> | undefined;

/** Loads the native library at first use. */
export function loadLance(): Promise<Lance> {
  lance ??= import('@lancedb/lancedb').then((m) => m.default as unknown as Lance);
  return lance;
}
