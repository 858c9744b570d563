import type { PersonMessage } from '../schema.ts';

/**
 * `/check`, or its words without a slash. With more text after these words, the message may be a question to
 * the agent, such as `check whether it builds`.
 */
const ASKED = /^(?:\/check\b|\/核[对查]|(?:check|核[对查])(?=[^\S\n]*(?:[:：\n]|$)))/i;

/**
 * Returns the text to check, empty for its sender's latest file; undefined if the message asks for something
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
 * Returns whether a message is a Word document. A chat uses one only for a check, because the agent reads
 * only text files.
 */
export function isWordFile({ content }: Pick<PersonMessage, 'content'>): boolean {
  return content.type === 'file' && /\.docx$/i.test(content.name);
}
