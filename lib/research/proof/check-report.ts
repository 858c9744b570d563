import { checkClaim } from '../../claims/check-claim.ts';
import { clean } from '../result/lay-out.ts';
import { researchMessages } from '../result/messages.ts';
import { allSentences, citingSentences, footnoteNumbers } from './cited-evidence.ts';
import { type ProofCheck, type ProofContents, result } from './proof-check.ts';
import { FILE } from './schema.ts';

/** Checks that sentences and quotes name each other, and that the counts are those of the sentences. */
export function checkSentences({ report, quotes }: ProofContents): ProofCheck {
  const sentences = allSentences(report);
  const known = new Map(quotes.map((quote) => [quote.id, quote]));
  const citing = citingSentences(report);
  const numberOf = footnoteNumbers(report);
  const problems = [
    ...(known.size === quotes.length ? [] : ['Two quotes have the same ID.']),
    ...sentences.flatMap(({ evidence, state }, at) => {
      const unknown = evidence.filter((id) => !known.has(id));
      if (unknown.length > 0)
        return [`Sentence ${at + 1} cites ${unknown[0]}, which isn't a quote of the proof.`];
      const isBare = state === 'supported' && evidence.length === 0;
      return isBare ? [`Sentence ${at + 1} is marked as supported, and cites no quote.`] : [];
    }),
    ...quotes.flatMap((quote) => {
      const { id, sentences: numbers, footnote } = quote;
      const isSame = numbers.join() === (citing.get(id) ?? []).join() && footnote === numberOf(quote);
      return isSame ? [] : [`Quote ${id} isn't cited where the proof says.`];
    }),
    ...countProblems(report),
  ];
  return result(
    'sentences',
    {
      passed: `${sentences.length} sentences cite quotes of the proof, and the counts are right.`,
      failed: 'Sentences and quotes of the proof name each other wrongly, or the counts are wrong.',
    },
    problems,
  );
}

/** Removed sentences aren't in the report, and the line about what is new in a refreshed one isn't counted. */
function countProblems(report: ProofContents['report']): string[] {
  const sentences = allSentences(report);
  const count = (state: string) => sentences.filter((one) => one.state === state).length;
  const { counts } = report;
  const [supported, marked] = [count('supported'), count('marked')];
  const isSame =
    counts.supported === supported &&
    counts.marked === marked &&
    counts.sentences >= supported + marked + counts.dropped &&
    counts.sentences <= sentences.length + counts.dropped;
  return isSame ? [] : ['The counts of the report are not those of its sentences.'];
}

/** Checks that the text for readers contains the counts, sentences, and quotes, in their order. */
export function checkText({ files, report, quotes }: ProofContents): ProofCheck {
  const about = {
    passed: `${FILE.text} contains the counts, each sentence, and each quote.`,
    failed: `${FILE.text} lacks counts, a sentence, or a quote.`,
  };
  const text = plain(files.get(FILE.text)?.toString() ?? '');
  const sentences = allSentences(report).map((sentence) => sentence.text);
  const noted = quotes
    .filter(({ footnote }) => footnote !== null)
    .toSorted((one, other) => (one.footnote ?? 0) - (other.footnote ?? 0));
  const parts = [
    researchMessages(report.language).counts(report.counts),
    ...sentences,
    ...noted.map(({ quote }) => quote),
  ];
  let at = 0;
  const missing = parts.find((part) => {
    const wanted = plain(clean(part));
    const found = text.indexOf(wanted, at);
    // Quotes of one place have one footnote.
    if (found === -1) return !text.includes(wanted);
    at = found;
    return false;
  });
  return result(
    'text',
    about,
    missing === undefined ? [] : [`${FILE.text} doesn't contain: ${missing.slice(0, 200)}`],
  );
}

/** Without what Markdown needs: escapes and line breaks. */
function plain(text: string): string {
  return text.replace(/[\s\\]+/g, '');
}

/** Makes the checks by code again that each supported sentence passed when it was written. */
export function checkCodeChecks({ report, quotes }: ProofContents): ProofCheck {
  const texts = new Map(quotes.map(({ id, quote }) => [id, quote]));
  const supported = allSentences(report)
    .map((sentence, at) => ({ ...sentence, number: at + 1 }))
    .filter(({ state }) => state === 'supported');
  const problems = supported.flatMap(({ text, evidence, number }) => {
    const { support, reason } = checkClaim(
      text,
      evidence.flatMap((id) => texts.get(id) ?? []),
    );
    return support === 'unjudged' ? [] : [`Sentence ${number} isn't supported by its quotes. ${reason}`];
  });
  const facts = 'numbers, dates, names, and units';
  const about = {
    passed: `The ${facts} of ${supported.length} supported sentences are in their quotes.`,
    failed: `The quotes of ${problems.length} of ${supported.length} supported sentences lack ${facts} of the sentence, or say otherwise.`,
  };
  return result('facts', about, problems);
}
