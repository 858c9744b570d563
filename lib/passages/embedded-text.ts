import type { Passage } from '../ports/vectors.ts';

/** Returns the embedded text of a passage: its context, then its text. Results are equal only if both are. */
export function embeddedText({ context, text }: Pick<Passage, 'context' | 'text'>): string {
  return context === '' ? text : `${context}\n\n${text}`;
}
