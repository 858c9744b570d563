/** The languages that some rules handle separately. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl' | 'pl';

/** Function words of each language, except those that are also English words. */
const SMALL_WORDS: Record<Language, string> = {
  en: 'the of and to was were is are by with for from that this it its on at has have had not which who they she after before be been their than when as',
  de: 'der das dem den des die ein eine einen einem einer eines und ist sind wurde wurden wird werden nicht mit von für auf zu zum zur im bei nach vor über aus durch es sich auch als wie waren hat haben hatte kein keine keinen keiner um dass ab nur er sie seit beträgt gibt gab',
  fr: "le la les une des du et est sont était ont été dans pour par avec sur au aux ce cette qui que ne pas sa ses il elle chez d'un d'une n'est n'a plus aucun la lors après avant",
  es: 'el la los las una del al y es son fue fueron en con por para que se su sus lo ha han está no más como ningún ninguna entre desde hasta',
  it: 'il lo gli la le una del della dei delle di che è sono fu furono con per nel nella non si più da al alla dopo prima',
  pt: 'os as um uma do da dos das em no na que é são foi foram com por para não se ao à mais pelo pela',
  nl: 'het een van en is zijn werd werden niet met voor op bij naar uit ook als hij zij ze wordt geen te om na',
  pl: 'się na jest są był była były nie z do w i że od przez po dla oraz przed',
};
const LANGUAGES = Object.entries(SMALL_WORDS).map(
  ([language, words]) => [language as Language, new Set(words.split(' '))] as const,
);
const LATIN_WORD = /[\p{Script=Latin}\p{M}'’]+/gu;
/** The number of words that is enough to detect a text's language. */
const ENOUGH = 60;

/**
 * Returns the language of a text in Latin letters; undefined if two languages are equally likely, or no word
 * indicates one.
 */
export function languageOf(text: string): Language | undefined {
  const [first, second] = likelyLanguages(text);
  return first === undefined || first.count === (second?.count ?? 0) ? undefined : first.language;
}

/** Returns whether no other language is more likely than English. */
export function mayBeEnglish(text: string): boolean {
  const likely = likelyLanguages(text);
  return likely.find(({ language }) => language === 'en')?.count === likely[0]?.count;
}

function likelyLanguages(text: string): { language: Language; count: number }[] {
  const words = (text.slice(0, 10 * ENOUGH).match(LATIN_WORD) ?? [])
    .slice(0, ENOUGH)
    .map((word) => word.toLowerCase().replace('’', "'"));
  return LANGUAGES.map(([language, small]) => ({
    language,
    count: words.filter((word) => small.has(word)).length,
  })).toSorted((a, b) => b.count - a.count);
}

const ALL_SMALL = new Set(LANGUAGES.flatMap(([, small]) => [...small]));

/** Returns whether a word is a function word in one of the languages. */
export function isSmallWord(word: string): boolean {
  return ALL_SMALL.has(word.toLowerCase());
}
