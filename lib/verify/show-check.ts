import { partLabel } from '../api-contract/part-label.ts';
import {
  REFERENCE_STATES,
  REFERENCE_WORDS,
  sayReferenceCounts,
  wordReference,
} from '../api-contract/reference-words.ts';
import { pathWithLines } from '../api-contract/shown-place.ts';
import type { Support } from '../api-contract/support.ts';
import { POSSIBLE_ERRORS, SUPPORT_WORDS } from '../api-contract/support-words.ts';
import type { WordComment } from '../formats/office/comment-docx.ts';
import { escapeProse } from '../markdown/code.ts';
import { isMostlyChinese } from '../notes/chinese.ts';
import { placeInMarkdown, quoteBlock } from '../passages/footnote.ts';
import { pathNamer } from '../workspaces/name-paths.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { noticesOf } from './check-notices.ts';
import type { CheckedSentence, DraftCheck } from './request-schema.ts';
import type { DraftCitation } from './schema.ts';
import { NO_CLAIM, wordVerdict } from './word-verdict.ts';

/** The date of the check in UTC, shown because the files may have changed since. */
const CHECKED_ON = {
  en: (day: string) => `Checked on ${day} against the files as they were then.`,
  zh: (day: string) => `于 ${day} 对照当时的文件核查。`,
};
const UNCHECKED = { en: 'Not checked', zh: '未核查' };
/** Skipped sentences in the list of sources. They are listed so that readers can disagree. */
const LISTED = { en: 'Of these, in the list of sources', zh: '其中属于来源列表' };
/** The verdict words in the tables of exports. */
const TABLES = [wordsOf('en'), wordsOf('zh')];

function wordsOf(language: 'en' | 'zh'): string[] {
  return [...Object.values(SUPPORT_WORDS[language]), NO_CLAIM[language]];
}

/**
 * Returns whether a text starts like an exported check in Markdown or JSON, because such a text repeats its
 * draft.
 */
export function isExportedCheck(text: string): boolean {
  const beginning = text.slice(0, 2000);
  const isMarkdown = TABLES.some((words) => words.every((word) => beginning.includes(`| ${word} | `)));
  return isMarkdown || (/^\s*\{\s*"runId"/.test(beginning) && beginning.includes('"not_found":'));
}

/** Claims that the author has to review come first. */
const ORDER: Support[] = ['contradicted', 'none', 'partial', 'unjudged', 'full'];

function languageOf(draft: string): 'en' | 'zh' {
  return isMostlyChinese(draft) ? 'zh' : 'en';
}

/** Returns a check to show: with several workspaces, the name of its workspace is before each path. */
export function withWorkspaceNames(check: DraftCheck, workspaces: Workspace[]): DraftCheck {
  if (workspaces.length < 2) return check;
  const named = pathNamer(workspaces);
  const sentences = check.sentences.map((each) => ({ ...each, citations: each.citations.map(named) }));
  return { ...check, sentences };
}

/**
 * Returns a check in Markdown: the claims by state, with quotes. Text of the draft or of a source can't end
 * the element that contains it.
 */
export function toCheckMarkdown(check: DraftCheck): string {
  const { name, text, counts, sentences } = check;
  const language = languageOf(text);
  const day = (check.finishedAt ?? check.createdAt).slice(0, 10);
  const words = SUPPORT_WORDS[language];
  const bySupport = Map.groupBy(sentences, ({ support }) => support);
  const byWord = Map.groupBy(ORDER, (support) => words[support]);
  const states = [...byWord].map(([word, supports]) => ({
    word,
    own: supports.flatMap((support) => bySupport.get(support) ?? []),
  }));
  const rows = [
    ...states.map(({ word, own }) => `| ${word} | ${own.length} |`),
    `| ${NO_CLAIM[language]} | ${counts.no_claim} |`,
    ...(counts.checked < counts.claims
      ? [`| ${UNCHECKED[language]} | ${counts.claims - counts.checked} |`]
      : []),
    ...(counts.listed > 0 ? [`| ${LISTED[language]} | ${counts.listed} |`] : []),
  ];
  const sections = states.flatMap(({ word, own }) =>
    own.length === 0 ? [] : [`## ${word}`, ...own.flatMap((each) => showSentence(each, language))],
  );
  return `${[
    `# ${escapeProse(name)}`,
    CHECKED_ON[language](day),
    ...noticesOf(check, language).map(escapeProse),
    `**${POSSIBLE_ERRORS[language]}: ${counts.possible_errors} / ${counts.checked}**`,
    ['| | |', '|---|---|', ...rows].join('\n'),
    ...sections,
    ...showReferences(check, language),
  ].join('\n\n')}\n`;
}

function showSentence(sentence: CheckedSentence, language: 'en' | 'zh'): string[] {
  const { n, text, citations } = sentence;
  const quotes = citations.map(
    (citation) => `- ${placeInMarkdown(citation)}\n\n${quoteBlock(citation.quote)}`,
  );
  return [`**${n}.** ${escapeProse(text)}`, `*${escapeProse(sayVerdict(sentence, language))}*`, ...quotes];
}

/** Returns the entries of the reference list, with those that an author has to review first. */
function showReferences({ references }: DraftCheck, language: 'en' | 'zh'): string[] {
  if (references === undefined || references.length === 0) return [];
  const { title, states } = REFERENCE_WORDS[language];
  const sorted = REFERENCE_STATES.flatMap((state) => references.filter((each) => each.state === state));
  const items = sorted.map((reference) => {
    const { label, entry, state } = reference;
    const why = state === 'found' ? [] : wordReference(reference, language);
    const own = label === undefined ? entry : `[${label}] ${entry}`;
    return `- **${states[state]}** ${escapeProse(own)} ${escapeProse(why.join(' '))}`.trimEnd();
  });
  return [`## ${title}`, sayReferenceCounts(references, language), items.join('\n')];
}

/** Returns a comment on each entry that has a place in the draft, except those that were found. */
function commentsOnReferences({ references = [] }: DraftCheck, language: 'en' | 'zh'): WordComment[] {
  return references.flatMap((reference) => {
    const { start, end, state } = reference;
    if (start === undefined || end === undefined || state === 'found') return [];
    const { states } = REFERENCE_WORDS[language];
    return [{ start, end, text: [states[state], ...wordReference(reference, language)].join('\n') }];
  });
}

/**
 * Returns the Word comments on a draft, one per claim and per entry of the reference list that needs a look. Notices about
 * the whole check are on the first line.
 */
export function commentsOn(check: DraftCheck): WordComment[] {
  const { text: draft, sentences } = check;
  const language = languageOf(draft);
  const claims = sentences.filter(({ verdict }) => verdict !== 'no_claim');
  const onClaims = claims.map((sentence) => {
    return { start: sentence.start, end: sentence.end, text: commentOf(sentence, language) };
  });
  const comments = [...onClaims, ...commentsOnReferences(check, language)].sort((a, b) => a.start - b.start);
  const notices = noticesOf(check, language);
  const first = /\S.*/.exec(draft);
  if (notices.length === 0 || first === null) return comments;
  return [{ start: first.index, end: first.index + first[0].length, text: notices.join('\n') }, ...comments];
}

function commentOf(sentence: CheckedSentence, language: 'en' | 'zh'): string {
  const quotes = sentence.citations.map((citation) => `${placeOf(citation)}: “${citation.quote}”`);
  return [sayVerdict(sentence, language), ...quotes].join('\n');
}

function sayVerdict(sentence: CheckedSentence, language: 'en' | 'zh'): string {
  const { state, why } = wordVerdict(sentence, language);
  return language === 'zh' ? state + why : `${state} ${why}`;
}

function placeOf(citation: DraftCitation): string {
  return [pathWithLines(citation), partLabel(citation)].filter(Boolean).join(', ');
}
