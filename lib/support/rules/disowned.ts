import { holdsDenial } from './denials.ts';
import { sentencesIn, subjectMatter } from './same-words.ts';
import { ANSWERS_NO } from './takes-back.ts';

const NO_TRUTH =
  "myths?|misconceptions?|fallac(?:y|ies)|hoax(?:es)?|rumou?rs?|superstitions?|falsehoods?|nonsense|lies?|false|untrue|wrong|incorrect|mistaken|(?:false|wrong|incorrect|mistaken|erroneous)ly(?: \\p{L}+)? that|fake|unfounded|debunked|disprove[dn]|refuted|(?:not|n['’]t) (?:the case|true|correct|right|accurate)";
const NO_PROOF =
  '(?:no|little) (?:\\p{L}+ )?(?:evidence|proof|indication|sign)s? (?:\\p{L}+ )?that|(?:no(?:body| one)|no stud(?:y|ies)|never) (?:\\p{L}+ )?(?:show[ns]?|showed|prove[dns]?|found|demonstrated|confirmed) that';
const HAN_FALSE =
  '错误(?![率数量码])|不正确|不实|谣言|谣传|传言|不对|不成立|误解|误区|误传|误以为|误认为|伪科学|假的|不是真的|迷信|(?:没有|尚无|缺乏)(?:任何|充分|足够)?(?:证据|依据|根据)';
const FALSE = new RegExp(`(?<!\\p{L})(?:${NO_TRUTH}|${NO_PROOF})(?!\\p{L})|${HAN_FALSE}`, 'giu');
/**
 * Matches a sentence after the quote, such as `This is a myth.` or `Wrong.`, but not `It is not true that …`.
 */
const NEXT = new RegExp(
  `^[\\s|*_>"“'‘(-]*(?:(?:no|but|however|yet)[,.]? )?(?:(?:this|that|it|the \\p{L}+)(?:['’ ]\\p{L}+){1,4}? ?|(?:an? )?)(?:${NO_TRUTH})(?=[*_\\s]*(?:[.!,;|)]|$)| (?:because|as|since|and|but|for)(?!\\p{L}))|^(?:但|其实|然而|不过)?[，,]?(?:这|那|此|该|上述)[^。，]{0,8}(?:${HAN_FALSE})`,
  'iu',
);
/** Matches `Contrary to a popular myth, …`, after which the opposite follows. */
const CONTRARY = /(?<!\p{L})contrary to [^,.]{1,60},/giu;
/** Matches a sentence before the quote, such as `The following is false:`. */
const POINTS_ON = /(?<!\p{L})(?:following|next|these)(?!\p{L})|以下|下列|下面|[:：]$/iu;
const ASKED = /(?:[?？]|[吗嘛][。.]?)["'”’)\]」』）]*\s*$/u;
/** Matches a question quoted at the end of a sentence, whose rest may still state something. */
const ASKED_QUOTE = /["“‘「『][^"“”‘「」『』]*[?？]["”’」』)\s]*$/u;
/** The minimum share of a sentence's words that a sentence called false must contain. */
const SHARE = 0.8;
const LONGEST_SHOWN = 200;

interface Disowned {
  /** The sentence of the quotes, with the words that call it false. */
  text: string;
  /** Whether the sentence states what the source calls false. Otherwise, it denies it. */
  isSameWay: boolean;
}

/**
 * Returns the places where texts only ask whether the sentence is so, or call it false. Undefined if one of
 * them states it plainly, or the sentence itself only asks or calls it false. Unlike in `isTakenBack()`, only
 * explicit words count, because no judge checks the result.
 */
export function disownedIn(sentence: string, texts: string[]): Disowned | undefined {
  const matter = subjectMatter(sentence);
  if (matter.size < 2 || ASKED.test(sentence) || sentence.search(FALSE) !== -1) return undefined;
  const isAbout = (said: string) => matter.intersection(subjectMatter(said)).size >= SHARE * matter.size;
  const similar = texts.flatMap((text) => placesIn(text, isAbout));
  const disowned = similar.flatMap((place) => disownedBy(place) ?? []);
  const [first] = similar;
  if (first === undefined || disowned.length < similar.length) return undefined;
  const isSameWay = holdsDenial(sentence) === holdsDenial(first.said.replace(FALSE, ' '));
  return { text: (disowned[0] ?? '').trim().slice(0, LONGEST_SHOWN), isSameWay };
}

/** A sentence with the sentences next to it. */
interface Place {
  said: string;
  before: string;
  next: string;
}

/** Returns the relevant sentences of a text. A row of a table includes the names of its columns. */
function placesIn(text: string, isAbout: (said: string) => boolean): Place[] {
  const sentences = sentencesIn(text);
  const columns = cellsOf(sentences.find((line) => line.includes('|') && line.search(FALSE) !== -1) ?? '');
  return sentences.flatMap((whole, at) => {
    if (!isAbout(whole)) return [];
    const plain = whole.replace(ASKED_QUOTE, '');
    const said = isAbout(plain) ? plain : whole;
    const column = columns[cellsOf(said).findIndex(isAbout)]?.trim() ?? '';
    const place = { before: sentences[at - 1] ?? '', next: sentences[at + 1]?.trim() ?? '' };
    return [{ ...place, said: column === '' ? said : `${column}: ${said}` }];
  });
}

function cellsOf(line: string): string[] {
  return line.includes('|') ? line.trim().replace(/^\|/u, '').split('|') : [];
}

/**
 * Returns the sentence with the words that make it a question or call it false; undefined without such words.
 */
function disownedBy({ said, before, next }: Place): string | undefined {
  if (ASKED.test(said) && (next === '' || ANSWERS_NO.test(next))) return `${said} ${next}`;
  if (said.replace(CONTRARY, ' ').search(FALSE) !== -1) return said;
  if (NEXT.test(next)) return `${said} ${next}`;
  return before.search(FALSE) !== -1 && POINTS_ON.test(before.trim()) ? `${before} ${said}` : undefined;
}
