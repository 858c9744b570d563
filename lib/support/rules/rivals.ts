import { clausesOf, isAboutSame, SHARE_OF_CLAUSE } from './denials.ts';
import { sentencesIn, subjectMatter } from './same-words.ts';

/** Pairs of opposites. A judge decides on a quote that contains both words. */
const DIRECTIONS = {
  up: /\b(?:rose|ris(?:es|en|ing)|increas(?:e[sd]?|ing)|grew|grows|grown|growing|climb(?:s|ed|ing)?|surg(?:es|ed|ing)|soar(?:s|ed|ing)?|doubl(?:ed|es|ing)|tripl(?:ed|es|ing)|expand(?:s|ed|ing))\b|(?<!\p{L})(?:stieg(?:en)?|gestiegen|steigt|steigen|wuchs(?:en)?|gewachsen|zugenommen|erhöht(?:e|en)?|augment(?:é|ée|e|ent|a|èrent|ó|ado|aron)|aument(?:ó|aron|a|an|ado)|progressé|creci(?:ó|eron)|subi(?:ó|eron))(?!\p{L})|上升|增加|增长|上涨|提高|升高|扩大|翻倍|翻了?一番/giu,
  down: /\b(?:fell|falls|fallen|falling|drop(?:s|ped|ping)?|decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|shr[aiu]nk(?:s|ing)?|plung(?:es|ed|ing)|plummet(?:s|ed|ing)?|halv(?:es|ed|ing))\b|(?<!\p{L})(?:sank(?:en)?|gesunken|sinkt|sinken|fiel(?:en)?|zurückgegangen|abgenommen|verringert(?:e|en)?|baiss(?:é|ée|e|ent|a|èrent)|recul(?:é|e|ent)|diminu(?:é|ée|e|ent)|chuté|disminuy(?:ó|eron)|baj(?:ó|aron)|cay(?:ó|eron)|descendi(?:ó|eron))(?!\p{L})|下降|减少|下跌|降低|下滑|缩小|减半/giu,
};

/**
 * Returns words of a direction if the quotes, or all their clauses about the same subject, contain only the
 * opposite.
 */
export function turnedDirections(sentence: string, quotes: string[]): string[] {
  const whole = turnedIn(sentence, quotes);
  const clauses = whole.length > 0 ? [] : clausesOf(sentence);
  if (clauses.length < 2) return whole;
  const said = quotes.flatMap(sentencesIn).flatMap(clausesOf);
  const matterOf = (text: string) => subjectMatter(withoutDirections(text));
  return clauses.flatMap((clause) =>
    turnedIn(
      clause,
      said.filter((other) => isAboutSame(matterOf(clause), matterOf(other), SHARE_OF_CLAUSE, 0)),
    ),
  );
}

function turnedIn(sentence: string, quotes: string[]): string[] {
  const own = directionOf(sentence);
  const said = quotes.map(directionOf).filter((direction) => direction !== undefined);
  if (own === undefined || said.length === 0 || said.includes(own)) return [];
  return own === 'both' || said.includes('both') ? [] : (sentence.match(DIRECTIONS[own]) ?? []);
}

export function withoutDirections(text: string): string {
  return text.replace(DIRECTIONS.up, ' ').replace(DIRECTIONS.down, ' ');
}

function directionOf(text: string): 'up' | 'down' | 'both' | undefined {
  const [up, down] = [text.search(DIRECTIONS.up) !== -1, text.search(DIRECTIONS.down) !== -1];
  if (up && down) return 'both';
  return up ? 'up' : down ? 'down' : undefined;
}

const FIRST = /\bfirst\s(?<what>\p{L}{3,})/giu;
const SAYS_FIRST = /\b(?:first|1st|initial\w*|earliest|one)\b/iu;
const OTHER_RANKS =
  'second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\\d*(?:2nd|3rd|\\dth)|last|final';

/**
 * `First` usually means that nothing came before, rather than a rank. It counts as a different rank only if
 * the quote ranks the same thing.
 */
export function otherRanks(sentence: string, quotes: string[]): string[] {
  if (quotes.some((quote) => SAYS_FIRST.test(quote))) return [];
  return [...sentence.matchAll(FIRST)]
    .filter(({ groups = {} }) => {
      const other = new RegExp(`\\b(?:${OTHER_RANKS})\\s${groups.what}`, 'iu');
      return quotes.some((quote) => other.test(quote));
    })
    .map(({ 0: found }) => found);
}

/** Words like `dozens`, each with the least number that it means, and the number that it must be below. */
const MANY: Record<string, [least: number, below: number]> = {
  dozens: [24, 1000],
  hundreds: [200, 1e5],
  thousands: [2000, 1e7],
  millions: [2e6, 1e10],
  billions: [2e9, 1e13],
  trillions: [2e12, 1e16],
};
const MANY_WORDS = /\b(?:dozens|hundreds|thousands|millions|billions|trillions)\b/giu;

/**
 * Returns words such as `dozens` and `hundreds` if no quote contains the same word, or a number that large.
 */
export function otherMultitudes(
  sentence: string,
  quotes: { text: string; quantities: { value: number }[] }[],
): string[] {
  return (sentence.match(MANY_WORDS) ?? []).filter((word) => {
    const [least, below] = MANY[word.toLowerCase()] ?? [0, 0];
    const saysIt = new RegExp(`\\b${word}\\b`, 'iu');
    return !quotes.some(
      ({ text, quantities }) =>
        saysIt.test(text) || quantities.some(({ value }) => value >= least && value < below),
    );
  });
}
