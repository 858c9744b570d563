import { fileUrl } from '../../api-contract/note-sources.ts';
import {
  conflictingPairs,
  describeSource,
  placeNumbers,
  publicationUrl,
  separatorAfter,
  sourcesOf,
} from '../../api-contract/report-places.ts';
import { unusedSources } from '../../api-contract/unused-sources.ts';
import { pathNamer } from '../../workspaces/name-paths.ts';
import type { Evidence, Report, Sentence, Source } from '../schema.ts';
import { type ResearchMessages, researchMessages } from './messages.ts';

/** A source that no sentence cites. */
interface LeftOut {
  title: string;
  url?: string | undefined;
  reason: string;
}

export interface LaidOutSentence {
  text: string;
  /** The numbers of its footnotes. */
  notes: number[];
  /** The reason for a flagged sentence; undefined if it isn't flagged. */
  mark?: string | undefined;
}

export interface Footnote {
  number: number;
  evidence: Evidence;
  /** A text such as `J. Smith (2024): Title`. Undefined if only the file name is known, which follows. */
  source: string | undefined;
  /** Set for an external source. */
  url?: string | undefined;
  /** The link to the saved file, from the workspace folder. Absent if the report is about several. */
  address?: string | undefined;
}

interface LaidOutSource {
  /** For example, `J. Smith (2024): Title. Journal`. */
  text: string;
  url?: string | undefined;
  /** The separator before the details. */
  separator: '. ' | ' ';
  /** The DOI, path, pages, and footnotes. */
  details: string;
}

/** A report in the form that all export formats show, without characters that some format can't contain. */
export interface LaidOut {
  language: string;
  title: string;
  /** Undefined if the title is the same. */
  question: string | undefined;
  day: string;
  counts: string;
  sections: { heading: string; paragraphs: LaidOutSentence[][] }[];
  disagreements: LaidOutSentence[][];
  openQuestions: string[];
  leftOut: LeftOut[];
  footnotes: Footnote[];
  /** The sources of the footnotes, each once, in the order of their first footnote. */
  sources: LaidOutSource[];
  words: ResearchMessages;
}

/** Footnotes are numbered in the order of their first use. */
export function layOut(raw: Report): LaidOut {
  const report = withWorkspaceNames(clean(raw));
  const words = researchMessages(report.language);
  const numbering = numberNotes(report.evidence);
  const sections = report.sections.map(({ heading, paragraphs }) => ({
    heading,
    paragraphs: paragraphs.map((sentences) =>
      sentences.map((one) => showSentence(one, numbering.numberOf, words)),
    ),
  }));
  const disagreements = conflictingPairs(report.evidence).map((pair) =>
    pair.map((one) => showClaim(one, numbering.numberOf, words)),
  );
  const isOfSeveral = report.workspaces !== undefined;
  const footnotes = numbering.cited().map((evidence, at) => {
    const footnote = toFootnote(evidence, at + 1);
    return isOfSeveral ? footnote : { ...footnote, address: fileUrl(evidence) };
  });
  return {
    ...{
      language: report.language,
      title: report.title,
      question: report.question.trim() === report.title.trim() ? undefined : report.question,
      day: report.createdAt.slice(0, 10),
    },
    ...{ counts: words.counts(report.counts), sections, disagreements, openQuestions: report.openQuestions },
    ...{
      leftOut: leftOutOf(report, words),
      footnotes,
      sources: listSources(footnotes, words),
      words,
    },
  };
}

/** Puts the name of its workspace before each path, if there are several. */
function withWorkspaceNames(report: Report): Report {
  const { workspaces, evidence, looked = [] } = report;
  if (workspaces === undefined) return report;
  const named = pathNamer(workspaces);
  return { ...report, evidence: evidence.map(named), looked: looked.map(named) };
}

/** Numbers the footnotes of evidence in the order of citation. An unknown ID gets no number. */
function numberNotes(all: Evidence[]) {
  const { numberOf, cited } = placeNumbers(all);
  return {
    numberOf: (ids: string[]) => [...new Set(ids.flatMap((id) => numberOf(id) ?? []))],
    cited,
  };
}

function showSentence(
  { text, evidence, state, reasons = [] }: Sentence,
  numberOf: (ids: string[]) => number[],
  words: ResearchMessages,
): LaidOutSentence {
  const mark =
    state === 'marked' ? [words.unsupported, reasons.join('; ')].filter(Boolean).join(': ') : undefined;
  return { text, notes: numberOf(evidence), mark };
}

/** The sentences of a claim weren't judged, because only its weighed quote supports it. */
function showClaim(
  { id, claim, supports }: Evidence,
  numberOf: (ids: string[]) => number[],
  words: ResearchMessages,
): LaidOutSentence {
  return { text: claim, notes: numberOf([id]), mark: supports === 'yes' ? undefined : words.unsupported };
}

function leftOutOf(report: Report, words: ResearchMessages): LeftOut[] {
  return unusedSources(report).map(({ name, url, reason, hasQuote }) => ({
    ...{ title: name, url: webAddress(url), reason: hasQuote ? words.uncited : reason },
  }));
}

function toFootnote(evidence: Evidence, number: number): Footnote {
  const { source, path } = evidence;
  const [text, url] = [describeSource(source, path), urlOf(source)];
  const isName = url === undefined && isNameOf(text, path);
  return {
    number,
    evidence,
    source: isName ? undefined : text,
    url,
  };
}

/** Returns whether only the file of a source is known. */
function isNameOf(text: string, path: string): boolean {
  return path === text || path.endsWith(`/${text}`);
}

/** Returns the external URL of the source. Only a web URL, because pages show it as a link. */
function urlOf(source: Source): string | undefined {
  return publicationUrl(source) ?? webAddress(source.url);
}

export function webAddress(url: string | undefined): string | undefined {
  const parsed = URL.parse(url ?? '');
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}

function listSources(footnotes: Footnote[], words: ResearchMessages): LaidOutSource[] {
  return sourcesOf(footnotes.map(({ evidence }) => evidence)).map((listed) => {
    const { path, source } = listed;
    const described = describeSource(source, path);
    const text = isOwn(source) && isNameOf(described, path) ? path : described;
    return {
      text,
      separator: separatorAfter(text),
      url: urlOf(source),
      details: detailsOf(listed, text, words),
    };
  });
}

function isOwn({ kind }: Source): boolean {
  return kind === 'file' || kind === 'dataset';
}

/** Returns the details as a sentence, with the first word capitalized, but identifiers and paths unchanged. */
function detailsOf(
  { path, source, numbers, pages }: ReturnType<typeof sourcesOf>[number],
  text: string,
  words: ResearchMessages,
): string {
  const { license, doi, arxivId } = source;
  const names = [
    doi !== undefined ? `doi:${doi}` : arxivId !== undefined && `arXiv:${arxivId}`,
    isOwn(source) && text !== path && path,
  ].filter((one) => one !== false);
  const details = [
    license !== undefined && `${words.license}: ${license}`,
    ...names,
    pages.length > 0 && words.pages(pages),
    words.notes(numbers),
  ];
  const joined = details.filter((one) => one !== false).join(', ');
  const beginsWithWord = license !== undefined || names.length === 0;
  return beginsWithWord ? joined.charAt(0).toUpperCase() + joined.slice(1) : joined;
}

/**
 * Characters that no document may contain: control characters, lone surrogates, noncharacters, and those that
 * reorder text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
const UNSHOWN = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F\uFFFE\uFFFF\u202A-\u202E\u2066-\u2069]/g;

export function clean<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
    typeof inner === 'string' ? inner.toWellFormed().replace(UNSHOWN, '') : inner,
  ) as Value;
}
