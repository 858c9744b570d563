import type { Passage } from '../ports/vectors.ts';

/** What is embedded of a passage: its text below what stands above it. Texts are equal only where both are. */
export function embeddedText({ context, text }: Pick<Passage, 'context' | 'text'>): string {
  return context === '' ? text : `${context}\n\n${text}`;
}
