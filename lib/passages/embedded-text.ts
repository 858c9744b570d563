import type { Passage } from '../ports/vectors.ts';

/**
 * Returns the text to embed for a passage: its context, then its text. Equal results mean that both are
 * equal.
 */
export function embeddedText({ context, text }: Pick<Passage, 'context' | 'text'>): string {
  return context === '' ? text : `${context}\n\n${text}`;
}
