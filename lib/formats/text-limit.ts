import { Unreadable } from '../errors.ts';

const MAX_CHARACTERS = 20 * 1024 * 1024;

/**
 * Returns a function that counts the characters of a decoded text. It's needed because a small file may
 * expand endlessly.
 */
export function textLimit(title: string): (text: string) => void {
  let length = 0;
  return (text) => {
    length += text.length;
    if (length > MAX_CHARACTERS)
      throw new Unreadable('size', `The ${title} file has more than 20 MB of text.`);
  };
}
