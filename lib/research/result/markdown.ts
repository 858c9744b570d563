import { separatorAfter } from '../../api-contract/report-places.ts';
import { escapeProse } from '../../markdown/code.ts';
import { placeInMarkdown, quoteBlock } from '../../passages/footnote.ts';
import type { Report } from '../schema.ts';
import { type Footnote, type LaidOut, type LaidOutSentence, layOut } from './lay-out.ts';

/** Returns a report in Markdown, with the quotes as footnotes. Text of a source or a model can't end its element. */
export function toMarkdown(report: Report, { shortened = false, withLines = false } = {}): string {
  const laidOut = layOut(report);
  const { title, question, day, counts, sections, words } = laidOut;
  const parts = [
    `# ${escapeProse(title)}`,
    ...(question === undefined ? [] : [`> ${escapeProse(question)}`]),
    `*${day} · ${counts}*`,
    ...(shortened ? [`**${words.shortened}**`] : []),
    ...sections.flatMap(({ heading, paragraphs }) => [
      `## ${escapeProse(heading)}`,
      ...showParagraphs(paragraphs, words.space),
    ]),
    ...listed(
      words.disagree,
      laidOut.disagreements.map((pair) => pair.map(showSentence).join(` — ${words.saysOtherwise} — `)),
    ),
    ...listed(words.openQuestions, laidOut.openQuestions.map(escapeProse)),
    ...listed(
      words.sources,
      laidOut.sources.map(
        ({ text, url, separator, details }) => linked(text, url) + separator + escapeProse(details),
      ),
    ),
    ...listed(words.leftOut, laidOut.leftOut.map(showLeftOut)),
    ...laidOut.footnotes.map((note) => showFootnote(note, laidOut, withLines)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function showParagraphs(paragraphs: LaidOutSentence[][], space: string): string[] {
  return paragraphs
    .filter((sentences) => sentences.length > 0)
    .map((sentences) => guardStart(sentences.map(showSentence).join(space)));
}

/** Escapes characters that would start a list, or a code block, at the start of a line. */
function guardStart(line: string): string {
  return line.replace(/^\s+/, '').replace(/^(\d{1,9})\.(?=\s|$)/, '$1\\.');
}

function showSentence({ text, notes, mark }: LaidOutSentence): string {
  const markers = notes.map((number) => `[^${number}]`).join('');
  const warning = mark === undefined ? '' : ` **⚠ (${escapeProse(mark)})**`;
  return `${escapeProse(text.trim())}${markers}${warning}`;
}

function listed(heading: string, items: string[]): string[] {
  return items.length === 0 ? [] : [`## ${heading}`, items.map((item) => `- ${guardStart(item)}`).join('\n')];
}

function linked(text: string, url: string | undefined): string {
  return url === undefined ? escapeProse(text) : `[${escapeProse(text)}](<${url}>)`;
}

function showLeftOut({
  title,
  url,
  reason,
}: {
  title: string;
  url?: string | undefined;
  reason: string;
}): string {
  return `${linked(title, url)}: ${escapeProse(reason)}`;
}

function showFootnote(
  { number, evidence, source, url, address }: Footnote,
  { words }: LaidOut,
  withLines: boolean,
): string {
  const title = source === undefined ? '' : linked(source, url) + separatorAfter(source);
  const where = title + placeInMarkdown(evidence, address, { withLines });
  const found = evidence.verified ? '' : ` (${words.notFound})`;
  return `[^${number}]: ${where}${found}\n\n${quoteBlock(evidence.quote)}`;
}
