import { researchMessages } from './result/messages.ts';
import type { Report, Sentence } from './schema.ts';

/**
 * Returns the first section of a report as text, for readers who see nothing else of it. Flagged sentences stay
 * flagged.
 */
export function firstSectionText({ sections, language }: Pick<Report, 'sections' | 'language'>): string {
  const [first] = sections;
  if (first === undefined) return 'Nothing was found that answers the question.';
  const { unsupported } = researchMessages(language);
  const show = ({ text, state }: Sentence) => (state === 'marked' ? `${text} ⚠ (${unsupported})` : text);
  return first.paragraphs.map((paragraph) => paragraph.map(show).join(' ')).join('\n\n');
}
