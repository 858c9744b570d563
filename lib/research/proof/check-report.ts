import { reasonOf } from '../../api-contract/finding-words.ts';
import { assess } from '../../support/assess.ts';
import { toMarkdown } from '../result/markdown.ts';
import { allSentences, citingSentences, footnoteNumbers } from './cited-evidence.ts';
import { previewOf } from './make-proof.ts';
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

/** Checks that the text for readers, and the page, are what the service writes for the report: no word more or less. */
export function checkText({ files, report }: ProofContents): ProofCheck {
  const { runId, ...said } = report;
  const payload = [...files.keys()].filter((path) => !NOT_IN_PREVIEW.includes(path));
  const written = new Map([
    [FILE.text, Buffer.from(toMarkdown(said))],
    [FILE.preview, previewOf(report, runId, payload)],
  ]);
  const other = [...written].filter(([path, content]) => files.get(path)?.equals(content) !== true);
  const what = `${FILE.text} and ${FILE.preview}`;
  return result(
    'text',
    {
      passed: `${what} say what the report says, and nothing else.`,
      failed: `${what} aren't those that this release writes for the report.`,
    },
    other.map(([path]) => `${path} says more, less, or something else than the report.`),
  );
}

/** The page is made before the last two files, and lists those with hashes by itself. */
const NOT_IN_PREVIEW: string[] = [FILE.preview, FILE.metadata, FILE.manifest, FILE.root];

/** Makes the checks by code again that each supported sentence passed when it was written. */
export function checkCodeChecks({ report, quotes }: ProofContents): ProofCheck {
  const texts = new Map(quotes.map(({ id, quote }) => [id, quote]));
  const supported = allSentences(report)
    .map((sentence, at) => ({ ...sentence, number: at + 1 }))
    .filter(({ state }) => state === 'supported');
  const problems = supported.flatMap(({ text, evidence, number }) => {
    const quotes = evidence.flatMap((id) => texts.get(id) ?? []);
    const { support, findings } = assess(text, { quotes });
    return support === 'unjudged'
      ? []
      : [`Sentence ${number} isn't supported by its quotes. ${reasonOf(support, findings)}`];
  });
  const facts = 'numbers, dates, names, and units';
  const about = {
    passed: `The ${facts} of ${supported.length} supported sentences are in their quotes.`,
    failed: `The quotes of ${problems.length} of ${supported.length} supported sentences lack ${facts} of the sentence, or say otherwise.`,
  };
  return result('facts', about, problems);
}
