import { findMarkers } from '../../lib/api-contract/markers.ts';

/** Code in a line that holds no marker: the service leaves it out when it compares, a reader misses it. */
const CODE = /(?<!`)`([^`\n[【]+)`(?!`)/g;

/** Returns the sentence with which the service compared the quote of a citation, without its Markdown. */
export function citedSentence(text: string, index: number): string | undefined {
  const claim = findMarkers(text.replace(CODE, '$1')).find(({ number }) => number === index)?.claim;
  const sentence = claim === undefined ? '' : withoutMarks(claim);
  return sentence === '' ? undefined : sentence;
}

function withoutMarks(claim: string): string {
  return claim
    .replace(/^(?:\s|>|#{1,6}\s|[-+*]\s|\d{1,3}[.)]\s|\|)+/, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~)/g, '')
    .replace(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
    .replace(/\s*\|\s*/g, ' · ')
    .replace(/\s+/g, ' ')
    .trim();
}
