interface KeyEvent {
  key: string;
  isComposing: boolean;
  keyCode: number;
}

/** The console's keys, as shown in its list of keys. `Mod` is Ctrl, and on a Mac also Cmd. */
export const KEYS = {
  ...{ palette: 'Mod+K', question: '/', keys: '?', close: 'Escape' },
  ...{ send: 'Enter', line: 'Shift+Enter', mention: '@' },
  ...{ move: '↑ ↓', save: 'Mod+S', clear: 'Ctrl+L' },
  ...{ allow: 'y', allowRun: 'r', allowAlways: 'a', deny: 'n' },
} as const;
export type KeyName = keyof typeof KEYS;

/**
 * The key code for a key that an input method uses. Safari sends the Enter that confirms a composition after the
 * composition, identified only by this code.
 */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Returns the key of a keyboard event, or '' for a key that an input method uses, such as the Enter that
 * confirms a composition.
 */
export function pressedKey(event: KeyEvent | { nativeEvent: KeyEvent }): string {
  const { key, isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event;
  return isComposing || keyCode === TAKEN_BY_INPUT_METHOD ? '' : key;
}

interface Modifiers {
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

export function isKey(name: KeyName, event: (KeyEvent | { nativeEvent: KeyEvent }) & Modifiers): boolean {
  const [key, modifier] = KEYS[name].toLowerCase().split('+').reverse();
  const { ctrlKey, metaKey, altKey } = event;
  if (pressedKey(event).toLowerCase() !== key || altKey) return false;
  if (modifier === undefined) return !ctrlKey && !metaKey;
  return ctrlKey || (metaKey && modifier === 'mod');
}

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Returns a key's label on the reader's keyboard. */
export function keyLabel(name: KeyName): string {
  const [mod, shift] = isMac ? ['⌘', '⇧'] : ['Ctrl ', 'Shift '];
  return KEYS[name]
    .replace('Mod+', mod)
    .replace('Ctrl+', 'Ctrl ')
    .replace('Shift+', shift)
    .replace('Escape', 'Esc');
}
