import type { KeyboardEvent } from 'react';
import { pressedKey } from './pressed-key.ts';

/**
 * Returns whether a key sends a text box. On touch screens, whose keyboards have no Shift+Enter, Enter starts a line, and
 * the button sends.
 */
export function isSendKey(event: KeyboardEvent): boolean {
  if (pressedKey(event) !== 'Enter') return false;
  const isPlain = !event.shiftKey && !matchMedia('(pointer: coarse)').matches;
  return isPlain || event.ctrlKey || event.metaKey;
}
