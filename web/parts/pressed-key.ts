interface KeyEvent {
  key: string;
  isComposing: boolean;
  keyCode: number;
}

/** The code of a key that an input method takes. Safari sends the Enter that ends a word after the word, and only this code tells. */
const TAKEN_BY_INPUT_METHOD = 229;

/** Returns the key of a keyboard event; '' for one that belongs to an input method, such as the Enter that ends a Chinese word. */
export function pressedKey(event: KeyEvent | { nativeEvent: KeyEvent }): string {
  const { key, isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event;
  return isComposing || keyCode === TAKEN_BY_INPUT_METHOD ? '' : key;
}
