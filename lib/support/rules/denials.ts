import { subjectMatter } from './same-words.ts';
import type { Turned } from './turned.ts';

/**
 * Negations by language; for Japanese and Korean, these are endings. The words after `not only` aren't
 * negated.
 */
const LATIN_DENIALS =
  'not|never|cannot|no(?!\\.|,| (?:one|doubt|more|less|fewer|later|longer|earlier|sooner)(?!\\p{L}))|none|neither|nobody|without|nicht|kein(?:e[mnrs]?)?|nie|niemals|pas|(?:fail(?:s|ed|ing)?|refus(?:es?|ed|ing)|declin(?:es?|ed|ing)|unable) to|lack(?:s|ed)|jamais|aucune?|non(?!-)|nessun[oa]?|nunca|jamás|ningún|ninguna|ninguno|tampoco|não|nenhuma?|niet|geen|nooit|nigdy|żad(?:en|n\\p{L}+)|[а-я]*не|ليس|ليست|ليسوا|لا|لم|لن';
const ONLY = 'only|just|merely|nur|seulement|solo|sólo|solamente|só|apenas|alleen|tylko|necessarily';
const DENIAL = new RegExp(
  `(?<![\\p{L}\\p{M}'’])(?:${LATIN_DENIALS})(?![\\p{L}\\p{M}])(?! (?:${ONLY})(?!\\p{L}))`,
  'giu',
);
const CONTRACTED = /n['’]t\b/giu;
const NO_DENIAL =
  /(?:almost|nearly|fast|presque|casi|quasi) (?:no|none|kein\p{L}*|aucune?|ning[uú]n\p{L}*|nessun\p{L}*)(?!\p{L})|なければ(?:なら|いけ)ない|かもしれない|かもしれません|違いない|ほかならない|だけでなく|だけではなく|のみならず|뿐만 아니라|뿐 아니라/giu;
/** Matches the Portuguese `no`, which means `in the`. */
const PORTUGUESE_NO = /(?<!\p{L})no(?!\p{L})/giu;
const JAPANESE = /ない|なかった|ません|なく(?=、|て)|ず(?=に|、|。)/gu;
const KOREAN = /지 ?(?:않|못)\p{L}*|않\p{L}+|못[하했]\p{L}*|없\p{L}+|아니\p{L}+|(?<!\p{L})안 /gu;

/** A negated attribute, as in `没有树荫的路段`, doesn't negate the sentence. */
const HAN = /[不没未无非](?!\p{Script=Han}{1,6}的\p{Script=Han})/gu;

/**
 * The share of its words that each of two sentences about the same subject must have in common with the
 * other.
 */
const SHARE = { own: 0.6, said: 0.5 };
/** The same share for a clause. Its subject may be in another clause. */
export const SHARE_OF_CLAUSE = 0.8;
/** The minimum number of words. A shorter clause may be about anything. */
const LEAST_WORDS = 2;
const MAX_SENTENCES = 60;
/** Limits and opposites that a negation turns into each other, and words that replace a negation. */
const LIMITS =
  /\b(?:more|less|fewer|later|earlier) than|\bat (?:most|least)\b|\bup to\b|\b(?:below|above|under|over|exceed\w*|maximum|minimum)\b|\b(?:before|after|until|since|unless)\b|超过|最[高低多少]/iu;
const ALWAYS = /(?<!\p{L})(?:always|immer|stets|toujours|siempre|sempre|altijd|zawsze)(?!\p{L})/giu;

/** The maximum number of characters of a sentence that is shown because all of it is wrong. */
const LONGEST_SHOWN = 200;

/** Matches a negation that is part of a word: `non-flammable` means `not flammable`. */
const DENIED_WORD = /(?<!\p{L})non-\p{L}/giu;

/** Splits a sentence into its clauses. */
export function clausesOf(sentence: string): string[] {
  return sentence.split(CLAUSE_END);
}

/** Returns whether sentences are about the same subject, judging by their words other than negations. */
export function isAboutSame(
  own: Set<string>,
  said: Set<string>,
  share = SHARE.own,
  ofSaid = SHARE.said,
): boolean {
  const shared = own.intersection(said).size;
  return shared > 0 && shared >= share * own.size && shared >= ofSaid * said.size;
}

interface Polarity {
  text: string;
  /** A sentence with only one clause is compared as a sentence and as a clause. */
  level: 'only' | 'whole' | 'clause';
  matter: Set<string>;
  denied: boolean;
  denials: number;
  /** The limits in the sentence, which a negation turns into others. */
  limits: string;
}

const CLAUSE_END =
  /[,;:]?\s(?:but|and|while|whereas|sondern|aber|und|mais|et|pero|y|ma|mas|maar|ale)\s|[,;:]\s|[，；：](?:但|却|而|然而|不过)?/iu;

/**
 * Returns statements that the sentence makes and the quoted sentences negate, or the reverse, in any
 * language: sentences or clauses with mostly the same words, only one of which has a negation. The result is
 * certain if all their other words are the same.
 */
export function deniedOtherwise(sentence: string, quoted: string[], isPortuguese: boolean): Turned[] {
  const said = quoted.slice(0, MAX_SENTENCES).flatMap((text) => partsOf(text, isPortuguese));
  for (const own of partsOf(sentence, isPortuguese)) {
    const alike = said.filter(
      (part) => part.limits === own.limits && isAboutSame(own.matter, part.matter, shareOf(part, own)),
    );
    if (alike.length === 0 || alike.some(({ denied }) => denied === own.denied)) continue;
    const isCertain = own.level !== 'clause' && alike.some((part) => isOnlyDenied(own, part));
    return [{ rule: 'negation', text: own.text.trim().slice(0, LONGEST_SHOWN), isCertain }];
  }
  return [];
}

/** Returns whether only one of two sentences is negated. Two negations may cancel each other out. */
function isOnlyDenied(one: Polarity, other: Polarity): boolean {
  return (
    Math.abs(one.denials - other.denials) === 1 && one.matter.symmetricDifference(other.matter).size === 0
  );
}

/** Returns more than the whole share for comparing a sentence with a clause, so that the two never match. */
function shareOf({ level }: Polarity, { level: own }: Polarity): number {
  if (level === own || (level === 'only' && own === 'whole') || (level === 'whole' && own === 'only'))
    return own === 'clause' ? SHARE_OF_CLAUSE : SHARE.own;
  return level === 'whole' || own === 'whole' ? 2 : SHARE_OF_CLAUSE;
}

/**
 * Returns the parts of a sentence to compare: the sentence and its clauses. If only some clauses have a
 * negation, these are compared without the sentence as a whole.
 */
function partsOf(sentence: string, isPortuguese: boolean): Polarity[] {
  const plain = isPortuguese ? sentence.replace(PORTUGUESE_NO, ' ') : sentence;
  const clauses = clausesOf(plain);
  const whole = clauses.length === 1 || !holdsDenial(plain) ? [plain] : [];
  const parts = [
    ...whole.map((text) => ({ text, level: clauses.length === 1 ? ('only' as const) : ('whole' as const) })),
    ...(clauses.length === 1 ? [] : clauses.map((text) => ({ text, level: 'clause' as const }))),
  ];
  return parts.flatMap(({ text, level }) => {
    const matter = subjectMatter(withoutDenials(text));
    if (text.search(DENIED_WORD) !== -1 || matter.size < (level === 'only' ? 1 : LEAST_WORDS)) return [];
    return [
      { text, level, matter, denied: holdsDenial(text), denials: countDenials(text), limits: limitsIn(text) },
    ];
  });
}

const ALL_FORMS = [DENIAL, CONTRACTED, JAPANESE, KOREAN, HAN, DENIED_WORD];

/** Returns whether a text has a negation, which is an ending in Japanese and Korean. */
export function holdsDenial(text: string): boolean {
  return countDenials(text) > 0;
}

function countDenials(text: string): number {
  const plain = text.replace(NO_DENIAL, ' ').replace(ALWAYS, ' ');
  return ALL_FORMS.reduce((count, form) => count + (plain.match(form)?.length ?? 0), 0);
}

function limitsIn(text: string): string {
  return (text.toLowerCase().match(new RegExp(LIMITS, 'giu')) ?? []).join();
}

/**
 * Returns whether a text has a limit that another text may express as a negation: `never more than 20`, `at
 * most 20`.
 */
export function holdsLimit(text: string): boolean {
  return LIMITS.test(text);
}

function withoutDenials(text: string): string {
  return ALL_FORMS.reduce((rest, form) => rest.replace(form, ' '), text);
}
