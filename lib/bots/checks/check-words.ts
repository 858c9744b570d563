import type { PersonMessage } from '../schema.ts';

/**
 * `/check`, or the words alone. With more text after them, they may start a question to the agent, such as `check
 * whether it builds`.
 */
const ASKED = /^(?:\/check\b|\/核[对查]|(?:check|核[对查])(?=[^\S\n]*(?:[:：\n]|$)))/i;

/**
 * Returns the text that a message asks to check, empty for its sender's latest file; undefined if it asks for something
 * else.
 */
export function wordsToCheck(text: string): string | undefined {
  const words = text.trimStart();
  const asked = ASKED.exec(words)?.[0];
  return asked === undefined
    ? undefined
    : words
        .slice(asked.length)
        .trimStart()
        .replace(/^[:：]/, '')
        .trim();
}

/**
 * Returns whether a message is a Word document, which has no other use here, because the agent reads only text files.
 */
export function isWordFile({ content }: Pick<PersonMessage, 'content'>): boolean {
  return content.type === 'file' && /\.docx$/i.test(content.name);
}
