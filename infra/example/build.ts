import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Citation } from '../../lib/api-contract/citation.ts';
import { findCitedSentences } from '../../lib/api-contract/cited-sentences.ts';
import type { BuiltExample, BuiltFile } from '../../lib/example/built.ts';
import { readingFormat } from '../../lib/formats/all-formats.ts';
import { extract } from '../../lib/formats/extract.ts';
import { lineAt, lineStarts } from '../../lib/formats/lines.ts';
import { countRowLines, partOf } from '../../lib/formats/part-of.ts';
import { quotableRuns } from '../../lib/formats/quotable-runs.ts';
import { sha256 } from '../../lib/paths/hash.ts';
import type { Extract } from '../../lib/research/extracts/extract.ts';
import { cutExtract } from '../../lib/research/extracts/keep-extracts.ts';
import type { Evidence, Section, Sentence, Source } from '../../lib/research/schema.ts';
import { summaryHeading } from '../../lib/research/work/sections.ts';
import { findAsWritten } from '../../lib/retrieval/cite/locate.ts';
import { missingFacts } from '../../lib/support/rules/facts.ts';
import { type ExampleTexts, QUOTES, type QuoteKey, SOURCES, TEXTS } from './texts.ts';

const root = resolve(import.meta.dirname, '../..');
const FILES = join(import.meta.dirname, 'files');
const BUILT = 'lib/example/built.json';
const MARK = /\s*\[\[(\w+)\]\]/g;

interface Found {
  citation: Omit<Citation, 'index' | 'stale' | 'verified'>;
  extract: Extract;
}

/**
 * Returns the JSON with the example workspace's files, answers, and reports. Locates their quotes in these files with
 * the code used for any answer. Throws if a quote is missing, or if a sentence has a number or a name that its quotes
 * lack. `npm run example` writes it after a change; a test compares.
 */
export async function builtExampleText(): Promise<string> {
  const paths = globSync('*/*', { cwd: FILES }).sort();
  const files = paths.map((path): BuiltFile => {
    const bytes = readFileSync(join(FILES, path));
    const isText = !path.endsWith('.pdf');
    return isText ? { path, text: bytes.toString('utf8') } : { path, base64: bytes.toString('base64') };
  });
  const found = await findQuotes();
  const examples = Object.fromEntries(
    Object.entries(TEXTS).map(([language, texts]) => [language, buildExample(language, texts, found)]),
  );
  return `${JSON.stringify({ files, examples }, null, 1)}\n`;
}

export function builtExamplePath(): string {
  return join(root, BUILT);
}

async function findQuotes(): Promise<Map<QuoteKey, Found>> {
  const entries = Object.entries(QUOTES).map(
    async ([key, [path, quote]]) => [key as QuoteKey, await locateQuote(path, quote)] as const,
  );
  return new Map(await Promise.all(entries));
}

/** Finds a quote like a report does: as an exact substring of the file's indexed text. */
async function locateQuote(path: string, quote: string): Promise<Found> {
  const bytes = readFileSync(join(FILES, path));
  const format = readingFormat(path);
  const { source: text, partStarts, sheets } = await extract(format, bytes);
  const runs = await quotableRuns(format, text);
  const place = findAsWritten({ text, runs }, quote);
  if (place === undefined) throw new Error(`${path} doesn't contain: ${quote}`);
  const lines = lineStarts(text);
  const rowLines = countRowLines(format, text, lines);
  const isKnown = format.content === 'encoded' || rowLines !== undefined;
  const fileHash = await sha256(bytes);
  const citation = {
    path,
    startLine: lineAt(lines, place.start),
    endLine: lineAt(lines, place.end - 1),
    ...(isKnown && partOf({ partStarts, sheets, rowLines }, format.unit, place)),
    quote: text.slice(place.start, place.end),
    fileHash,
  };
  return { citation, extract: { fileHash, ...cutExtract(text, lines, place) } };
}

function buildExample(
  language: string,
  { name, folder, turns, report }: ExampleTexts,
  found: Map<QuoteKey, Found>,
): BuiltExample {
  return {
    name,
    folder,
    turns: turns.map(({ question, answer }) => ({ question, ...citeAnswer(answer, found) })),
    report: buildReport(language, report, found),
  };
}

const NO_SENTENCE = { claim: '', numbers: [] };

/** Replaces the citation keys by numbers, in order of first use. */
function citeAnswer(text: string, found: Map<QuoteKey, Found>): { answer: string; citations: Citation[] } {
  const keys = [...new Set(keysIn(text))];
  const answer = text.replace(MARK, (_, key: QuoteKey) => ` [${keys.indexOf(key) + 1}]`);
  const sentences = findCitedSentences(answer);
  const citations = keys.map((key, at) => {
    const { claim, numbers } = sentences.find((each) => each.numbers.includes(at + 1)) ?? NO_SENTENCE;
    const together = numbers.map((number) => keys[number - 1]);
    requireFacts(
      claim,
      together.flatMap((other) => (other ? take(found, other).citation.quote : [])),
    );
    return { index: at + 1, ...take(found, key).citation, verified: true, stale: false };
  });
  return { answer, citations };
}

function keysIn(text: string): QuoteKey[] {
  return Array.from(text.matchAll(MARK), ([, key]) => key as QuoteKey);
}

function take(found: Map<QuoteKey, Found>, key: QuoteKey): Found {
  const place = found.get(key);
  if (place === undefined) throw new Error(`no quote is called ${key}`);
  return place;
}

/** Throws unless the quotes contain the numbers, dates, and names of their sentence, as in every answer and report. */
function requireFacts(claim: string, quotes: string[]): void {
  const missing = missingFacts(claim, quotes);
  if (missing.length > 0)
    throw new Error(`no quote says ${missing.join(', ')}: ${claim}\n${quotes.join('\n')}`);
}

function buildReport(
  language: string,
  { question, summary, sections, about, open }: ExampleTexts['report'],
  found: Map<QuoteKey, Found>,
): BuiltExample['report'] {
  const evidence = new Map<QuoteKey, Evidence>();
  const questions = sections.map(({ question: asked, answeredBy }, at) => {
    return { id: `q${at + 1}`, question: asked, answeredBy };
  });
  const sentence =
    (questionId: string) =>
    (marked: string): Sentence => {
      const text = marked.replace(MARK, '').trim();
      const keys = keysIn(marked);
      requireFacts(
        text,
        keys.map((key) => take(found, key).citation.quote),
      );
      for (const key of keys) {
        const number = evidence.size + 1;
        if (!evidence.has(key))
          evidence.set(key, toEvidence(take(found, key).citation, { questionId, claim: text, number }));
      }
      return { text, evidence: keys.map((key) => evidence.get(key)?.id ?? ''), state: 'supported' };
    };
  const answered = sections.map(({ question: heading, paragraphs }, at): Section => {
    const questionId = `q${at + 1}`;
    return { questionId, heading, paragraphs: paragraphs.map((each) => each.map(sentence(questionId))) };
  });
  const head: Section = {
    questionId: null,
    heading: summaryHeading(language),
    paragraphs: [summary.map(sentence('q1'))],
  };
  const last: Section = {
    questionId: null,
    heading: about.heading,
    paragraphs: [about.sentences.map((text) => ({ text, evidence: [], state: 'plain' }))],
  };
  return {
    ...{ question, plan: { questions } },
    evidence: [...evidence.values()],
    extracts: Object.fromEntries([...evidence].map(([key, { id }]) => [id, take(found, key).extract])),
    sections: [head, ...answered, last],
    openQuestions: open,
  };
}

function toEvidence(
  { fileHash: _, ...place }: Found['citation'],
  { questionId, claim, number }: { questionId: string; claim: string; number: number },
): Evidence {
  const { title, authors, year } = SOURCES[place.path] ?? { title: place.path };
  const source: Source = {
    ...{ kind: 'file', title },
    ...(authors && { authors }),
    ...(year && { year: Number(year) }),
  };
  const { page, of, rows, ...lines } = place;
  const part = { ...(page !== undefined && { page }), ...(of !== undefined && { of }) };
  return {
    ...{ id: `e${number}`, questionId, claim, ...lines, ...part, source },
    ...{ verified: true, supports: 'yes' },
  } as Evidence;
}

if (import.meta.main) writeFileSync(builtExamplePath(), await builtExampleText());
