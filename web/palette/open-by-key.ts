import type { KeyName } from '../parts/pressed-key.ts';

export const OPEN_BY_KEY = 'open-by-key';
export type OpenedByKey = Extract<KeyName, 'palette' | 'keys'>;

/** Opens the palette or the list of keys from a button, for people who don't know the key. */
export function openByKey(name: OpenedByKey): void {
  dispatchEvent(new CustomEvent(OPEN_BY_KEY, { detail: name }));
}
