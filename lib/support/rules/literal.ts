import { flat } from '../../api-contract/flat.ts';

const SENTENCE_BEGINS = /(?:^|[.!?:;。！？：；]["'”’)）]{0,2}\s?)$/u;
const SENTENCE_ENDS = /^["'”’)）]{0,2}(?:$|[.!?;。！？；](?!\d))/u;
const LONGEST_END = 4;

/** Whether a quote has a sentence as a whole, word for word: not `12 owls` of `about 12 owls`, nor `5 mg` of `5 mg per day`. */
export function saysLiterally(quote: string, sentence: string): boolean {
  const wanted = flat(sentence).replace(/(?<![.!?;。！？；])[.!?;。！？；]+$/u, '');
  const said = flat(quote);
  const at = wanted === '' ? -1 : said.indexOf(wanted);
  if (at === -1) return false;
  const end = at + wanted.length;
  return (
    SENTENCE_BEGINS.test(said.slice(Math.max(0, at - LONGEST_END), at)) &&
    SENTENCE_ENDS.test(said.slice(end, end + LONGEST_END))
  );
}
