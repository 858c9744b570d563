import type { PersonMessage } from '../schema.ts';

/** `/check`, and the words alone: others may begin a question to the agent, such as `check whether it builds`. */
const ASKED = /^\s*(?:\/check\b|\/核[对查]|(?:check|核[对查])(?=\s*(?:[:：\n]|$)))\s*[:：]?([\s\S]*)$/i;

/** The text that a message asks to check, empty for the latest file of its sender; undefined if it asks for something else. */
export function wordsToCheck(text: string): string | undefined {
  return ASKED.exec(text)?.[1]?.trim();
}

/** Word documents have no other use here: the agent reads text files only. */
export function isWordFile({ content }: Pick<PersonMessage, 'content'>): boolean {
  return content.type === 'file' && /\.docx$/i.test(content.name);
}
