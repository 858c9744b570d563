import { differs, isSameMatter, subjectMatter } from './same-words.ts';
import type { Turned } from './turned.ts';

/** Words of denial, by language; of Japanese and Korean, endings. What follows `not only` is not denied. */
const LATIN_DENIALS =
  'not|never|cannot|no(?!\\.|,| (?:one|doubt|more|less|fewer|later|longer|earlier|sooner)(?!\\p{L}))|none|neither|nobody|without|nicht|kein(?:e[mnrs]?)?|nie|niemals|pas|(?:fail(?:s|ed|ing)?|refus(?:es?|ed|ing)|declin(?:es?|ed|ing)|unable) to|lack(?:s|ed)|jamais|aucune?|non(?!-)|nessun[oa]?|nunca|jamás|ningún|ninguna|ninguno|tampoco|não|nenhuma?|niet|geen|nooit|nigdy|żad(?:en|n\\p{L}+)|[а-я]*не|ليس|ليست|ليسوا|لا|لم|لن';
const ONLY = 'only|just|merely|nur|seulement|solo|sólo|solamente|só|apenas|alleen|tylko|necessarily';
const DENIAL = new RegExp(
  `(?<![\\p{L}\\p{M}'’])(?:${LATIN_DENIALS})(?![\\p{L}\\p{M}])(?! (?:${ONLY})(?!\\p{L}))`,
  'giu',
);
const CONTRACTED = /n['’]t\b/giu;
const NO_DENIAL =
  /なければ(?:なら|いけ)ない|かもしれない|かもしれません|違いない|ほかならない|だけでなく|だけではなく|のみならず|뿐만 아니라|뿐 아니라/gu;
/** `In the`. */
const PORTUGUESE_NO = /(?<!\p{L})no(?!\p{L})/giu;
const JAPANESE = /ない|なかった|ません|なく(?=、|て)|ず(?=に|、|。)/gu;
const KOREAN = /지 ?(?:않|못)\p{L}*|않\p{L}+|못[하했]\p{L}*|없\p{L}+|아니\p{L}+|(?<!\p{L})안 /gu;

const HAN = /[不没未无非]/gu;

/** How much of each sentence has to be in the other. */
const SHARE = 0.8;
/** Limits and opposites, which a denial turns into each other, and words that a denial replaces. */
const LIMITS =
  /\b(?:more|less|fewer|later|earlier) than|\bat (?:most|least)\b|\bup to\b|\b(?:before|after|until|since|unless)\b/iu;
const ALWAYS = /(?<!\p{L})(?:always|immer|stets|toujours|siempre|sempre|altijd|zawsze)(?!\p{L})/giu;

/** What is shown of a sentence that is wrong as a whole. */
const LONGEST_SHOWN = 200;

/** A denial that is part of a word: `non-flammable` is what `not flammable` says. */
const DENIED_WORD = /(?<!\p{L})non-\p{L}/iu;

interface Denial {
  denied: boolean;
  matter: Set<string>;
}

/**
 * Returns the sentence if the quoted ones deny what it says, or say what it denies, in any language. Compares whole sentences with the
 * same words, so it need not know which of them a denial is about. It is certain where one has no other words.
 */
export function deniedOtherwise(sentence: string, quoted: string[], isPortuguese: boolean): Turned[] {
  const own = denialOf(sentence, isPortuguese);
  if (own === undefined || own.matter.size < 2) return [];
  const alike = quoted
    .flatMap((said) => denialOf(said, isPortuguese) ?? [])
    .filter(({ matter }) => isSameMatter(own.matter, matter, SHARE));
  const isTurned = alike.length > 0 && alike.every(({ denied }) => denied !== own.denied);
  const isCertain = alike.some(({ matter }) => !differs(own.matter, matter));
  return isTurned ? [{ rule: 'negation', text: sentence.trim().slice(0, LONGEST_SHOWN), isCertain }] : [];
}

const ALL_FORMS = [DENIAL, CONTRACTED, JAPANESE, KOREAN, HAN, DENIED_WORD];

/** Whether a text has a word of denial, or in Japanese and Korean its ending. */
export function holdsDenial(text: string): boolean {
  const plain = text.replace(NO_DENIAL, ' ').replace(ALWAYS, ' ');
  return ALL_FORMS.some((form) => plain.search(form) !== -1);
}

/** Whether a text has a limit, which another one says with a denial: `never more than 20`, `at most 20`. */
export function holdsLimit(text: string): boolean {
  return LIMITS.test(text);
}

export function withoutDenials(text: string): string {
  return ALL_FORMS.reduce((rest, form) => rest.replace(form, ' '), text);
}

/** Undefined for a sentence that denies twice, within a word, or sets against each other what is so and what is not. */
function denialOf(sentence: string, isPortuguese: boolean): Denial | undefined {
  if (LIMITS.test(sentence) || DENIED_WORD.test(sentence)) return undefined;
  const plain = sentence.replace(isPortuguese ? PORTUGUESE_NO : NO_DENIAL, ' ').replace(ALWAYS, ' ');
  const forms = [DENIAL, CONTRACTED, JAPANESE, KOREAN];
  const found = forms.flatMap((form) => plain.match(form) ?? []);
  const clauses = plain.split(/[,;:，；、]|\b(?:but|and|sondern|mais|pero|ma|mas|maar|ale)\b/u).length;
  if (found.length > 0 && clauses > 1) return undefined;
  if (found.length > 1 && !/(?:^|\P{L})(?:no|nie|não|non|pas)(?:\P{L}|$)/iu.test(plain)) return undefined;
  const rest = forms.reduce((text, form) => text.replace(form, ' '), plain);
  return { denied: found.length > 0, matter: subjectMatter(rest) };
}
