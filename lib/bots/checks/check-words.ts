import type { PersonMessage } from '../schema.ts';

/**
 * `/check`, or its words without a slash. With more text after these words, the message may be a question to
 * the agent, such as `check whether it builds`.
 */
const ASKED = /^(?:\/check\b|\/核[对查]|(?:check|核[对查])(?=[^\S\n]*(?:[:：\n]|$)))/i;

/** `/references`, or its Chinese words. It asks for the reference list, which is sent to catalogs. */
const ASKED_REFERENCES = /^(?:\/references\b|\/核[对查]参考文献|核[对查]参考文献(?=[^\S\n]*(?:[:：\n]|$)))/i;

/** A request for a check of a text, or of its sender's latest file if the words are empty. */
export interface AskedCheck {
  name: 'check' | 'references';
  words: string;
}

/** Returns the check that a message asks for; undefined if it asks for something else. */
export function readAskedCheck(text: string): AskedCheck | undefined {
  const words = text.trimStart();
  const references = ASKED_REFERENCES.exec(words)?.[0];
  const asked = references ?? ASKED.exec(words)?.[0];
  if (asked === undefined) return undefined;
  const rest = words.slice(asked.length).trimStart();
  return {
    name: references === undefined ? 'check' : 'references',
    words: rest.replace(/^[:：]/, '').trim(),
  };
}

/**
 * Returns whether a message is a Word document. A chat uses one only for a check, because the agent reads
 * only text files.
 */
export function isWordFile({ content }: Pick<PersonMessage, 'content'>): boolean {
  return content.type === 'file' && /\.docx$/i.test(content.name);
}
