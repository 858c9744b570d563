import { isSmallWord } from './language.ts';
import { isIdentifier, type NameFact } from './names.ts';

/** German capitalizes every noun, so a capital letter alone doesn't make a name. */
let places: Set<string> | undefined;

const CITIES =
  'Berlin Hamburg München Köln Frankfurt Stuttgart Düsseldorf Leipzig Dortmund Essen Bremen Dresden Hannover Nürnberg Bonn Wien Graz Linz Salzburg Innsbruck Zürich Genf Basel Bern Lausanne Paris London Rom Mailand Madrid Barcelona Lissabon Warschau Prag Budapest Moskau Kiew Athen Istanbul Kairo Jerusalem Peking Shanghai Tokio Washington Chicago Boston Europa Asien Afrika Amerika Australien Bayern Sachsen Hessen Thüringen Brandenburg Baden-Württemberg Niedersachsen Rheinland-Pfalz Saarland Schleswig-Holstein Sachsen-Anhalt'.split(
    ' ',
  );

function isPlace(word: string): boolean {
  places ??= new Set([...countries(), ...CITIES]);
  return places.has(word) || (word.endsWith('s') && places.has(word.slice(0, -1)));
}

function countries(): string[] {
  const names = new Intl.DisplayNames(['de'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((one) => letters.flatMap((other) => names.of(one + other) ?? []));
}

/** Returns the names that are certain in German: quoted ones, identifiers, and known places. */
export function certainNames(names: NameFact[]): NameFact[] {
  return names.flatMap((name) => {
    const words = name.words.filter((word) => isIdentifier(word) || isPlace(word));
    if (name.exact) return [name];
    return words.map((word) => ({ text: word, words: [word], exact: false }));
  });
}

const TOKEN = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}-]*|[.!?;:]/gu;
/** A word is compared only with words of the same kind, so only its neighbors are needed. */
const isNoun = (word: string) => /^\p{Lu}\p{Ll}/u.test(word);

/**
 * Returns nouns that a quote replaces with another noun between the same two words: `von Peter Müller` and
 * `von Hans Müller`. Another form of the noun, or a longer word that contains it, isn't a replacement.
 */
export function otherNouns(sentence: string, quotes: string[]): string[] {
  const said = quotes.map((quote) => quote.match(TOKEN) ?? []);
  const all = new Set(said.flat().map((word) => word.toLowerCase()));
  const isOther = (word: string) => !hasForm([...all], word.toLowerCase());
  const slots = new Set(said.flatMap((words) => slotsOf(words).map(({ slot }) => slot)));
  const own = sentence.match(TOKEN) ?? [];
  return [
    ...slotsOf(own).filter(({ slot, word }) => slots.has(slot) && isOther(word)),
    ...firstNames(own).filter(
      ({ word, last }) =>
        isOther(word) && said.some((words) => firstNames(words).some((name) => name.last === last)),
    ),
  ].map(({ word }) => word);
}

/** Returns pairs of consecutive nouns, as in a person's name: `Karl Brenner`. */
function firstNames(words: string[]): { word: string; last: string }[] {
  return words.flatMap((word, at) => {
    const last = words[at + 1] ?? '';
    return isNoun(word) && isNoun(last) && !isSmallWord(word) ? [{ word, last }] : [];
  });
}

function slotsOf(words: string[]): { slot: string; word: string }[] {
  return words.flatMap((word, at) => {
    const [before, after] = [words[at - 1], words[at + 1]];
    if (before === undefined || after === undefined || !isNoun(word)) return [];
    return [{ slot: `${before.toLowerCase()} ${after.toLowerCase()}`, word }];
  });
}

const ENDING = 3;

function hasForm(words: string[], word: string): boolean {
  const stem = word.length > 2 * ENDING ? word.slice(0, -ENDING + 1) : word;
  return words.some((other) => other.includes(stem) || (other.length > 2 * ENDING && word.includes(other)));
}
