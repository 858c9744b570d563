import { diffArrays } from 'diff';
import { splitSentences } from '../../api-contract/sentences.ts';
import { holdsDenial } from '../../support/rules/denials.ts';
import { mayTurn } from './left-out.ts';
import { type WordOfText, wordsOfText } from './terms.ts';

/**
 * The minimum number of content words. If a sentence has fewer, such as `It is found there`, the quote must
 * contain each of them.
 */
const LEAST_WORDS = 3;
/** The number of words in another place that together show that two parts of the sentence were exchanged. */
const EXCHANGED = 2;

/** The source that the service found for a sentence. */
interface FoundSource {
  quote: string;
  /** The passage of the quote, with the headings above it. */
  passage: string;
}

/**
 * Returns whether a quote may be named as the source of a sentence without a marker. Shared words don't show
 * who did what to whom. So the passage must name the subject at the start of the sentence, no two parts may
 * be exchanged, and words that negate, limit, or report the rest may be neither lost nor added.
 */
export function standsFor({ quote, passage }: FoundSource, sentence: string): boolean {
  const own = wordsOfText(sentence);
  const wanted = own.filter(means);
  if (wanted.length < LEAST_WORDS && !hasAll(wordsOfText(quote), wanted)) return false;
  return (
    has(wordsOfText(passage), wanted[0]) &&
    splitSentences(quote).some(({ start, end }) => {
      const said = quote.slice(start, end);
      return !losesLead(said, own) && !hasTurned(wordsOfText(said), own);
    })
  );
}

function means({ isCommon }: WordOfText): boolean {
  return !isCommon;
}

function has(words: WordOfText[], word: WordOfText | undefined): boolean {
  return word !== undefined && words.some(({ text }) => text === word.text);
}

function hasAll(words: WordOfText[], wanted: WordOfText[]): boolean {
  return wanted.every((word) => has(words, word));
}

/** `In version 4, the default was 30 seconds` doesn't mean that it is 30 seconds now. */
function losesLead(said: string, own: WordOfText[]): boolean {
  const lead = wordsOfText(/^[^,，]{1,80}(?=[,，][^\p{N}])/u.exec(said)?.[0] ?? '').filter(means);
  return lead.length > 0 && !lead.some((word) => has(own, word));
}

function hasTurned(said: WordOfText[], own: WordOfText[]): boolean {
  const changes = diffArrays(said, own, { comparator: (one, other) => one.text === other.text });
  const lost = changes.flatMap(({ removed, value }) => (removed ? [value] : []));
  const added = changes.flatMap(({ added: isAdded, value }) => (isAdded ? [value] : []));
  if ([...lost, ...added].some((words) => mayTurn(asText(words)))) return true;
  // `It follows no more than 5 links` doesn't mean that it follows no links.
  if (holdsDenial(asText(own)) && lost.flat().some(means)) return true;
  const isMoved = (word: WordOfText) => means(word) && has(added.flat(), word);
  return lost.filter((words) => words.some(isMoved)).length >= EXCHANGED;
}

/** Joins words. Scripts without spaces need no space between their characters. */
function asText(words: WordOfText[]): string {
  return words.map(({ shown, isUnspaced }) => (isUnspaced ? shown : ` ${shown} `)).join('');
}
