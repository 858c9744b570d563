export type Lance = typeof import('@lancedb/lancedb');

let lance: Promise<Lance> | undefined;

/** The native library, loaded at the first use. */
export function loadLance(): Promise<Lance> {
  lance ??= import('@lancedb/lancedb').then((m) => m.default as unknown as Lance);
  return lance;
}
