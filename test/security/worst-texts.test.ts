import { expect, it } from '@jest/globals';
import { parseJson } from '../../cli/answer-body.ts';
import { shownInAsciidoc } from '../../lib/formats/shown-asciidoc.ts';
import { shownInLatex } from '../../lib/formats/shown-latex.ts';
import { shownInMarkdown } from '../../lib/formats/shown-markdown.ts';
import { shownInOrg } from '../../lib/formats/shown-org.ts';
import { shownInRestructuredText } from '../../lib/formats/shown-restructured-text.ts';
import { missingFacts } from '../../lib/support/rules/facts.ts';

const MOST_MS = 500;

/**
 * Each of these texts took one to nine seconds when a pattern tried every position of the text repeatedly.
 */
it.each<[string, () => unknown]>([
  ['a sentence of line breaks and words', () => facts(`${'\n'.repeat(2500)}${'A '.repeat(1250)}`)],
  ['Markdown comments', () => shownInMarkdown('<!--\r'.repeat(20_000))],
  ['an AsciiDoc condition', () => shownInAsciidoc(`ifdef::${'[:'.repeat(40_000)}d`)],
  ['a LaTeX definition', () => shownInLatex(`\\def${'\t\n'.repeat(30_000)}-`)],
  ['Org tags', () => shownInOrg(`* ${':ARCHIVE:['.repeat(20_000)}`)],
  ['a reStructuredText list', () => shownInRestructuredText(`${'C.\t'.repeat(29)}-`)],
  ['JSON with escaped quotation marks', () => parseJson('\\"'.repeat(50_000))],
])('pattern takes little time for %s', (_what, read) => {
  const before = process.cpuUsage();
  read();
  const { user } = process.cpuUsage(before);
  expect(user / 1000).toBeLessThan(MOST_MS);
});

/** Compares a text as a sentence, and as a quote of another sentence. */
function facts(text: string): void {
  missingFacts(text, ['Owls live in Berlin.']);
  missingFacts('Owls live in Berlin since 2020.', [text]);
}
