import { flat } from '../../api-contract/flat.ts';
import { contentStems, isAlike } from './content-words.ts';
import { isDenied, turnedWords } from './negation.ts';
import { otherQuantifiers } from './quantifiers.ts';
import { turnedDirections, withoutDirections } from './rivals.ts';
import { sentencesIn, subjectMatter } from './same-words.ts';

const CLAUSE_END = /[;:]\s|,?\s(?:and|but|while|whereas)\s|[；]|，(?=而|但|却|然而|不过)/iu;
const MAX_CLAUSES = 6;
/** The quoted sentences that a clause is compared with. */
const MAX_SENTENCES = 60;
/** Words of a clause that say what it is about: with one, it may be about anything. */
const LEAST_WORDS = 2;

/**
 * Returns what a clause of a sentence says and the quoted sentences say otherwise: `tested in 40 patients and safe` next to `not safe`.
 * Next to the whole sentence, such a quote is about less than half of it. A clause has its subject from another one, so that it's for a
 * judge whether both are about the same.
 */
export function turnedInClauses(sentence: string, quotes: string[]): string[] {
  const clauses = sentence.split(CLAUSE_END).filter((clause) => clause !== '');
  if (clauses.length < 2) return [];
  const near = quotes.flatMap(sentencesIn).slice(0, MAX_SENTENCES);
  const said = quotes.map(flat);
  const isSaid = (clause: string) => said.some((quote) => quote.includes(flat(clause)));
  return clauses.slice(0, MAX_CLAUSES).flatMap((clause) => (isSaid(clause) ? [] : turnedIn(clause, near)));
}

function turnedIn(clause: string, quoted: string[]): string[] {
  const isHan = /\p{Script=Han}/u.test(clause);
  if (!isHan && contentStems(clause).size < LEAST_WORDS) return [];
  const alike = quoted.filter(isAbout(clause));
  return [
    ...(isHan ? [] : deniedOtherwise(clause, quoted, alike)),
    ...otherQuantifiers(clause, quoted).map(({ text }) => text),
    ...turnedDirections(clause, alike),
  ];
}

/** What a clause denies isn't turned by a quote that denies something, too: it may set both against each other. */
function deniedOtherwise(clause: string, quoted: string[], alike: string[]): string[] {
  return isDenied(clause) && alike.some(isDenied) ? [] : turnedWords(clause, quoted);
}

/** Whether a quote is about what a clause says, whether that rises or falls. */
function isAbout(clause: string): (quote: string) => boolean {
  const matter = subjectMatter(withoutDirections(clause));
  return (quote) => isAlike(matter, subjectMatter(withoutDirections(quote)));
}
