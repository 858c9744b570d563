import { oneLine } from '../../activity/record.ts';
import {
  REFERENCE_STATES,
  REFERENCE_WORDS,
  sayReferenceCounts,
  wordReference,
} from '../../api-contract/reference-words.ts';
import type { Support } from '../../api-contract/support.ts';
import { SUPPORT_WORDS } from '../../api-contract/support-words.ts';
import { isMostlyChinese } from '../../notes/chinese.ts';
import { pluralize } from '../../text/pluralize.ts';
import { noticesOf } from '../../verify/check-notices.ts';
import type { CheckedSentence, DraftCheck } from '../../verify/request-schema.ts';
import { wordVerdict } from '../../verify/word-verdict.ts';

type Language = 'en' | 'zh';

/** The verdicts that an author must review come first. */
const WORST: Support[] = ['contradicted', 'none', 'partial', 'unjudged'];
const MAX_SHOWN = 5;
/** The maximum number of entries of a reference list in a message. The page of the check has all of them. */
const MAX_ENTRIES = 10;
const MAX_SENTENCE = 200;
const MAX_REASON = 200;

export const CHECK_USAGE = `**/check** text: I check each claim of the text against the files of the workspace, and send the verdicts. For a file (DOCX, Markdown, LaTeX, HTML, or text), send it, then /check. 也可以发送“核对”。`;

export const REFERENCES_USAGE = `**/references** text: I look up each entry of the reference list in OpenAlex, Crossref, Semantic Scholar, and arXiv. For a file (DOCX, Markdown, LaTeX, HTML, or text), send it, then /references. 也可以发送“核对参考文献”。`;

export function checkStartMessage(name: string): string {
  return isMostlyChinese(name)
    ? `正在核对“${name}”，完成后在这里发送结果。/stop 可停止。`
    : `The check of ${name} has started. I send the verdicts here when it is done. /stop stops it.`;
}

export function checkProgressMessage({ counts: { checked, claims } }: DraftCheck): string {
  return `⏳ ${checked} / ${pluralize(claims, 'claim')}`;
}

/**
 * Returns the counts, the worst sentences with their reasons, and the link to the check. If the reference list was looked
 * up, its entries are shown instead of the sentences.
 */
export function endMessage(check: DraftCheck, page: string | undefined): string {
  const { counts, sentences, text, references } = check;
  const language: Language = isMostlyChinese(text) ? 'zh' : 'en';
  const isChinese = language === 'zh';
  const worst = WORST.flatMap((support) => sentences.filter((each) => each.support === support)).slice(
    0,
    MAX_SHOWN,
  );
  const isCut = counts.checked < counts.claims;
  const summary = isChinese
    ? `${isCut ? '已核查的 ' : ''}${counts.checked} 条论断中，${counts.supported} 条有文件支持。`
    : `The files support ${counts.supported} of ${pluralize(counts.checked, isCut ? 'checked claim' : 'claim')}.`;
  const listed = isChinese
    ? `已跳过来源列表中的 ${counts.listed} 句。`
    : `Skipped as a list of sources: ${pluralize(counts.listed, 'sentence')}.`;
  const notices = noticesOf(check, language).map((notice) => oneLine(notice, MAX_REASON));
  const lines = worst.map((sentence, at) => `${at + 1}. ${lineOf(sentence, language)}`);
  const where =
    page ??
    (isChinese ? `全部结果：GET /api/verify/${check.runId}` : `All verdicts: GET /api/verify/${check.runId}`);
  return [
    `**${oneLine(nameOfCheck(check), MAX_SENTENCE)}**`,
    [summary, counts.listed > 0 ? listed : '', ...notices].filter(Boolean).join(' '),
    ...(references === undefined
      ? [countsOf(sentences, language), lines.join('\n')]
      : showReferences(references, language)),
    where,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Returns the name of a check. A text has no name, so its first sentence represents it. */
export function nameOfCheck({ name, text }: DraftCheck): string {
  return name === 'draft.txt' ? text.slice(0, MAX_SENTENCE) : name;
}

type References = NonNullable<DraftCheck['references']>;

/** Returns the counts of the entries, and those that their author has to review. */
function showReferences(references: References, language: Language): string[] {
  const { title, states } = REFERENCE_WORDS[language];
  const none = language === 'zh' ? '未找到参考文献列表。' : 'No reference list was found.';
  const doubtful = REFERENCE_STATES.filter((state) => state !== 'found').flatMap((state) =>
    references.filter((each) => each.state === state),
  );
  const lines = doubtful.slice(0, MAX_ENTRIES).map((reference, at) => {
    const why = oneLine(wordReference(reference, language).join(' '), MAX_REASON);
    return `${at + 1}. “${oneLine(reference.entry, MAX_SENTENCE)}” **${states[reference.state]}** ${why}`;
  });
  return [
    `**${title}**`,
    references.length === 0 ? none : sayReferenceCounts(references, language),
    lines.join('\n'),
  ];
}

function countsOf(sentences: CheckedSentence[], language: Language): string {
  const words = SUPPORT_WORDS[language];
  return [...new Set(WORST.map((support) => words[support]))]
    .map(
      (word) => [word, sentences.filter(({ support }) => support && words[support] === word).length] as const,
    )
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${word}: ${count}`)
    .join(' · ');
}

function lineOf(sentence: CheckedSentence, language: Language): string {
  const { state, why } = wordVerdict(sentence, language);
  return `“${oneLine(sentence.text, MAX_SENTENCE)}” **${state}** ${oneLine(why, MAX_REASON)}`;
}
