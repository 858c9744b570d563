import type { Report } from '../schema.ts';

export function toMarkdown({ title, sections }: Report): string {
  return `# ${title}\n\n${sections.map(({ heading, paragraphs }) => `## ${heading}\n\n${paragraphs.map((paragraph) => paragraph.map(({ text, evidence }) => `${text}${evidence.map((id) => `[^${id}]`).join('')}`).join(' ')).join('\n\n')}`).join('\n\n')}\n`;
}
