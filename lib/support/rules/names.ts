import { foldForSearch } from '../../api-contract/fold-text.ts';
import { nextPlace } from '../../text/next-place.ts';
import { once } from './once.ts';
/** A name in the form of the sentence. */
export interface NameFact {
  text: string;
  /** The words that a quote must contain: together for an `exact` name, otherwise individually. */
  words: string[];
  exact: boolean;
  /** Whether it is a title in quotation marks, whose punctuation may differ. */
  isTitle?: boolean;
}

interface Token {
  text: string;
  start: number;
  end: number;
  /** True if its capital letter may come only from its position in the sentence. */
  opens: boolean;
}

/** Words in scripts with capitals: Latin, Greek, Cyrillic, Armenian. */
const TOKEN =
  /[A-Za-z\u00C0-\u024F\u0370-\u0587\u1E00-\u1FFF](?:[\w\u00C0-\u024F\u0370-\u0587\u1E00-\u1FFF'’&.+#@-]|\p{M})*|(?<!\d)\d+[A-Za-z][\w-]*/gu;
/**
 * Matched at a token, by looking back from it. Trying every position before each token takes seconds in a
 * text that consists of line ends.
 */
const OPENING = /(?<=(?:^|[.!?:;]\s|[\n•])[\s"“‘'([*_-]*)/uy;
const LATIN = /\p{Script=Latin}/u;
const QUOTED =
  /“([^”]{2,200})”|"([^"]{2,200})"|「([^」]{1,200})」|『([^』]{1,200})』|《([^》]{1,200})》|`([^`]{1,200})`/gu;
const HAN = /\p{Script=Han}/u;
/** Words that are capitalized at the start of a sentence, even before a name. */
const OPENERS = new Set(
  'a about according after all although among an and another any are as at because before behind below beneath beside besides between beyond both but by can compared consequently could despite did do does during each either even every except few finally first for from furthermore given had has have he hence her here his how however i if in indeed inside instead is it its last later less like many may meanwhile moreover more most much must near neither nevertheless next no nobody none nonetheless nor not nothing now of off on once one only or other others our out outside over overall per rather researchers scientists authors second several she should similarly since so some still such than that the their them then there therefore these they third this those though through throughout thus to together too toward towards two under unlike until up upon using versus very was we were what when where whereas whether which while who whose why will with within without would yet you your'.split(
    ' ',
  ),
);
/**
 * Returns whether a word is neither a name nor a thing: `a third after` is a fraction, `a third party` isn't.
 */
export function opensSentences(word: string): boolean {
  return OPENERS.has(word.toLowerCase());
}

/** The same words in other languages with Latin letters. */
const ROMANCE_OPENERS = new Set(
  'le la les un une des du de il elle ils elles on ce cette ces cet dans en au aux pour par avec sans sous sur son sa ses leur leurs mais car comme si tous toutes tout plusieurs certains certaines aucun aucune depuis durant entre chez contre lorsque quand après avant selon pendant lors malgré grâce seuls seul el los las una unos unas del al por para con sin según cuando después antes durante desde hasta su sus este esta estos estas ese esa esos ningún ninguna todos todas todo muchos muchas algunos algunas varios como aunque pero más casi hay lo gli uno nel nella nelle dopo prima secondo quando per da tra fra il i nessun nessuna tutti o a os as um uma no na nos nas em do das dos após com nenhum nenhuma todos het een op van voor na tijdens volgens toen met bij geen alle'.split(
    ' ',
  ),
);
/** The same words in Russian, Ukrainian, and Greek. */
const FOREIGN_OPENERS = new Set(
  'а без более в во все всего всё вы где да для до его ее её если есть еще ещё же за здесь и из или их к как когда кто мы на над не некоторые нет но о об однако он она они оно от по под после потом почему при с со так также такой там тем то тогда только тот у уже хотя чем через что чтобы эта эти это этот я є і її його й ми не та так тому у це цей ці щоб як якщо а αν από αυτά αυτή αυτό αυτός αλλά για δεν εάν είναι ένα ένας έναν επίσης η ήταν και κάθε κατά με μετά μια μία μπορεί να ο οι όλα όλοι όμως όπως όταν ότι πολλά πολλοί που πριν σε στα στη στην στις στο στον στους τα τη την της τι τις το τον του τους των ως'.split(
    ' ',
  ),
);
/** Endings of common nouns for kinds of things, mostly plurals. */
const FOREIGN_KINDS =
  /(?:[ыиі]|[нц]ие|[нц]ия|ость|ство|ель|ный|ная|ное|ский|ская|ое|ая|ый|άτι|ες|οι|εις|ματα|ση|ση|ία|ική|ικό)$/u;
const SHORT_TITLES = 'Dr Drs Mr Mrs Ms Mx Prof Sen Rep Gov Gen Col Capt Lt Sgt Rev Hon Pres'.split(' ');
const TITLES = new Set([...SHORT_TITLES.map((title) => title.toLowerCase()), 'professor']);
/** Nouns before a number: `World War I`. */
const NUMBERED =
  /(?:^|\P{L})(?:War|Type|Part|Phase|Stage|Volume|Book|Act|Class|Grade|Title|Tier|Division)\s$/u;
/**
 * Verbs whose subject is a person or company. At the start of a sentence, this subject has a name or is one
 * of several.
 */
const SAYS =
  /^ (?:announced|acquired|argue[sd]|claim(?:s|ed)|conclude[sd]|founded|invented|introduce[sd]|launched|published|proposed|released?s?|report(?:s|ed)|said|says|showed|stated|states|wrote|writes|was founded|was born)\b/;
const KIND_OF_DOER =
  /(?:s|ers|ors|ists|people|everyone|somebody|research|analysis|evidence|work|study|paper|report|article|survey|team|group|company|university|government|data)$/i;

/**
 * Returns the names in a sentence: capitalized words, acronyms, identifiers, and texts in quotation marks.
 * Spaces must have replaced dates in the sentence, and numbers outside quotation marks; in `words`, all
 * numbers.
 */
export function readNames(sentence: string, words: string): NameFact[] {
  const marked = [...sentence.matchAll(QUOTED)];
  const quoted = marked.map((match) => quotedName(match));
  const rest = words.replace(QUOTED, (found) => ' '.repeat(found.length));
  const tokens = tokensOf(rest);
  const paths = [...sentence.matchAll(PATH)].map(([text]) => ({ text, words: [text], exact: true }));
  const names = HAN.test(rest)
    ? [...latinNames(tokens), ...organizations(rest)]
    : capitalisedNames(rest, tokens);
  return [...quoted, ...paths, ...names];
}

/**
 * Matches `/var/log/app`, `./bin`, `src/main/App.kt`, or a URL, which must match as a whole. `5 mg/kg/day`
 * isn't a path.
 */
const PATH =
  /(?<![\w:/.-])(?:(?:https?:|\.{1,2}(?=\/)|(?=\/[\w.-]+\/))(?:\/{1,2}[\w.?=&%#~-]+)+(?<![.-])|[\w-]+(?:\/[\w-]+)+\.[a-z]\w{0,5})(?![\w/])/gu;

function quotedName(match: RegExpMatchArray): NameFact {
  const text = match.slice(1).find((group) => group !== undefined) ?? '';
  const isTitle = /^["“].*\s/su.test(match[0]);
  return { text: match[0], words: [text.replace(/[,.;:，。；：]$/u, '')], exact: true, isTitle };
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].flatMap(({ 0: raw, index }) => {
    const bare = raw.replace(/(?<!['’.&+#@-])(?:['’]s?|[.&+#@-])+$/u, (end) =>
      /^[+#]+$/.test(end) ? end : '',
    );
    if (bare === '') return [];
    OPENING.lastIndex = index;
    const opens = OPENING.test(text) && !followsInitial(text, index, bare) && !followsTitle(text, index);
    return [{ text: bare, start: index, end: index + bare.length, opens }];
  });
}

const INITIAL = /\p{Lu}\p{L}{1,40}\s\p{Lu}\.\s$/u;

/** Returns whether a word after an initial continues a name: `William J. Seymour`. */
function followsInitial(text: string, at: number, word: string): boolean {
  return !OPENERS.has(word.toLowerCase()) && INITIAL.test(text.slice(Math.max(0, at - LONGEST_NAME), at));
}

const TITLE = new RegExp(`(?<!\\p{L})(?:${SHORT_TITLES.join('|')}|St)\\.\\s$`, 'u');

/** Returns whether the period before a word belongs to a title rather than ending a sentence: `Dr. Reyes`. */
function followsTitle(text: string, at: number): boolean {
  return TITLE.test(text.slice(Math.max(0, at - LONGEST_NAME), at));
}

const LONGEST_NAME = 24;

/** Returns Latin words within Chinese text, all of which are terms. */
function latinNames(tokens: Token[]): NameFact[] {
  return tokens
    .filter(({ text }) => text.length > 1)
    .map(({ text }) => ({ text, words: [text], exact: isIdentifier(text) }));
}

const ORGANIZATION =
  /[\p{Script=Han}]{2,4}(?:大学|公司|学院|研究院|研究所|银行|医院|集团|实验室|委员会|基金会|出版社)/gu;
/** Matches characters after which a word is a common noun rather than a name. */
const NO_NAME = /[该这那此其本各些家个所某的一几两多每同外内]/u;

/**
 * Returns names of organizations. Two characters before the word for their kind are enough to identify one,
 * and too few to include a verb.
 */
function organizations(text: string): NameFact[] {
  return [...text.matchAll(ORGANIZATION)].flatMap(([found]) => {
    const kind =
      /(?:大学|公司|学院|研究院|研究所|银行|医院|集团|实验室|委员会|基金会|出版社)$/u.exec(found)?.[0] ?? '';
    const name = found.slice(0, -kind.length).slice(-2);
    return NO_NAME.test(name) ? [] : [{ text: name + kind, words: [name + kind], exact: true }];
  });
}

function capitalisedNames(text: string, tokens: Token[]): NameFact[] {
  const names: NameFact[] = [];
  let run: Token[] = [];
  const end = () => {
    names.push(...nameOf(text, run));
    run = [];
  };
  for (const token of tokens) {
    const last = run.at(-1);
    if (last !== undefined && !/^[\s.]{1,2}$/.test(text.slice(last.end, token.start))) end();
    if (isName(token)) run.push(token);
    else end();
  }
  end();
  return names;
}

function isName({ text }: Token): boolean {
  return /^\p{Lu}/u.test(text) || (isIdentifier(text) && !/^(?:early|mid|late)-\d/.test(text));
}

const SEASONS = new Set(['Spring', 'Summer', 'Autumn', 'Fall', 'Winter']);

/** Returns whether a word has digits, signs, or capitals inside, unlike any common word. */
export function isIdentifier(text: string): boolean {
  return /\d|_|[a-z]\p{Lu}|[a-z]\.[a-z]{2}|^\p{Lu}[A-Z0-9&.]+s?$|[+#]$|@/u.test(text);
}

function nameOf(text: string, run: Token[]): NameFact[] {
  const words = run.filter((token, at) => !isByPlace(text, token, run.length > 1 && at === 0));
  const named = words.filter(({ text: word }) => !TITLES.has(word.toLowerCase()));
  const [first, last] = [named[0], named.at(-1)];
  if (first === undefined || last === undefined || (first === last && SEASONS.has(first.text))) return [];
  const shown = text.slice(first.start, last.end);
  return [{ text: shown, words: named.map((token) => token.text), exact: false }];
}

/**
 * Returns whether a word is capitalized only because of its position: `I`, and the first word, unless a name
 * continues after it or it is a content word.
 */
function isByPlace(text: string, { text: word, opens, start, end }: Token, leads: boolean): boolean {
  if (word === 'I') return !NUMBERED.test(text.slice(Math.max(0, start - LONGEST_NAME), start));
  if (!opens || isIdentifier(word)) return false;
  if (!LATIN.test(word)) return FOREIGN_OPENERS.has(word.toLowerCase()) || FOREIGN_KINDS.test(word);
  if (OPENERS.has(word.toLowerCase()) || ROMANCE_OPENERS.has(word.toLowerCase()) || /ly$/.test(word))
    return true;
  if (leads) return /(?:ing|ed|s)$/.test(word);
  return !SAYS.test(text.slice(end)) || KIND_OF_DOER.test(word);
}

/** A text prepared for finding names. */
export interface Words {
  folded: string;
  /** The text without punctuation. */
  plain: string;
  /** Its names of several words, each as a list of words. */
  runs: string[][];
  words: Set<string>;
  acronyms: Set<string>;
  /** The initials of its words, without and with those of function words. */
  initials: string[];
}

/** A Latin name ends where Chinese text continues, or where the particle of a Korean name starts. */
const WITHIN_SCRIPT = /[\p{Script=Latin}\p{N}]+|(?:(?!\p{Script=Latin})[\p{L}\p{N}])+/gu;
const SMALL_WORDS = /^(?:of|and|the|for|in|on|to|de|für)$/i;

const ACRONYMS = /(?<![\p{L}\p{N}])\p{Lu}{3,}(?![\p{L}\p{N}])/gu;

/**
 * The text is prepared for titles and acronyms only when one of them is looked up, because most names are
 * neither.
 */
export function namesAndWords(text: string): Words {
  const folded = fold(text);
  const words = folded.match(WITHIN_SCRIPT) ?? [];
  const lettersOf = (some: string[]) => some.map((word) => word.charAt(0)).join('');
  const runs = capitalisedNames(text, tokensOf(text)).map((name) => name.words.map(fold));
  const several = runs.filter(({ length }) => length > 1);
  const plainText = once(() => plain(folded));
  const initials = once(() => [lettersOf(words.filter((word) => !SMALL_WORDS.test(word))), lettersOf(words)]);
  return {
    folded,
    get plain() {
      return plainText();
    },
    runs: several,
    words: new Set(words),
    acronyms: new Set(text.match(ACRONYMS)),
    get initials() {
      return initials();
    },
  };
}

function fold(text: string): string {
  return foldForSearch(text).replaceAll('"', "'");
}

/** Returns a title without its addition in parentheses. */
function plain(folded: string): string {
  return folded
    .replace(/\s\([^)]*\)/gu, '')
    .replace(/\s&\s/gu, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function saysName({ words: all, exact, isTitle = false }: NameFact, said: Words): boolean {
  if (isTitle) return all.every((word) => saysTerm(word, said) || standsIn(said.plain, plain(fold(word))));
  if (exact) return all.every((word) => saysTerm(word, said));
  const words = withoutKinds(withoutInitials(all, said), said);
  if (isPutTogether(words, said)) return false;
  if (said.acronyms.has(all.map((word) => word.charAt(0)).join(''))) return true;
  return words.every((word) => (isIdentifier(word) ? saysTerm(word, said) : saysWord(word, said)));
}

/** Drops middle initials. A name matches without its middle initial, but not with a different one. */
function withoutInitials(words: string[], { runs }: Words): string[] {
  const isInitial = (word: string) => word.length === 1;
  const whole = words.filter((word, at) => !isInitial(word) || at === words.length - 1);
  if (whole.length < 2 || whole.length === words.length) return words;
  const folded = whole.map(fold);
  const isOther = runs.some((run) => folded.every((word) => run.includes(word)) && run.some(isInitial));
  return isOther ? words : whole;
}

/** Last words of a name that don't distinguish it from another name. */
const KINDS = new Set(
  'company companies corporation inc ltd group club church games studios school college university ministry department board council committee commission foundation institute association society museum festival tour championship championships contest award awards airport station'.split(
    ' ',
  ),
);

/**
 * Drops kinds. A name matches without its kind, but not with a different one: `Harvard College` isn't
 * `Harvard University`.
 */
function withoutKinds(words: string[], { runs }: Words): string[] {
  const isKind = (word: string) => KINDS.has(word.toLowerCase());
  const own = words.filter((word) => !isKind(word));
  if (own.length === 0 || own.length === words.length) return words;
  const folded = own.map(fold);
  const isOther = runs.some((run) => folded.every((word) => run.includes(word)) && run.some(isKind));
  return isOther ? words : own;
}

/**
 * Returns whether a name is wrongly combined, such as `John Roe` from `John Smith met Jane Roe`: each word is
 * part of another name, and appears nowhere else.
 */
function isPutTogether(names: string[], { folded, runs }: Words): boolean {
  const words = names.map(fold);
  const homes = words.map((word) => runs.filter((run) => run.includes(word)));
  if (words.length < 2 || homes.some((home) => home.length === 0)) return false;
  if (runs.some((run) => words.every((word) => run.includes(word)))) return false;
  return words.every((word, at) => folded.split(word).length - 1 === homes[at]?.length);
}

/**
 * Matches whole terms, so that `GPT-4o` doesn't contain `GPT-4`. An acronym also matches the words for which
 * it stands.
 */
function saysTerm(term: string, said: Words): boolean {
  const bare = fold(term);
  if (POINTED.test(term) && standsIn(said.folded.replaceAll('.', ''), bare.replaceAll('.', ''))) return true;
  const letters = bare.replace(/[^a-z]/g, '');
  if (isAcronym(term) && said.initials.some((initials) => initials.includes(letters))) return true;
  return [bare, bare.replace(/(?<=[a-z]{2}|\d)s$/, '')].some((wanted) => standsIn(said.folded, wanted));
}

/** Matches letters that may have periods between them. */
const POINTED = /^\p{Lu}(?:\.?\p{Lu}){1,3}$/u;

function isAcronym(term: string): boolean {
  return /^\p{Lu}(?:\.?\p{Lu}){2,}\.?s?$/u.test(term);
}

function standsIn(text: string, wanted: string): boolean {
  const isHan = HAN.test(wanted);
  for (let at = nextPlace(text, wanted); at !== -1; at = nextPlace(text, wanted, at)) {
    const around = `${text.charAt(at - 1)} ${text.charAt(at + wanted.length)}`;
    if (isHan || !/[a-z0-9_]/.test(around)) return true;
  }
  return false;
}

/** Endings that turn place names into those of their people and languages. */
const ENDINGS = new Set([
  '',
  'a',
  'ia',
  'ese',
  'n',
  'an',
  'ian',
  'ish',
  'i',
  'ic',
  'ean',
  's',
  'es',
  'y',
  'ies',
  'land',
]);

function saysWord(word: string, { words }: Words): boolean {
  return fold(word)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((piece) => piece !== '' && piece !== 's')
    .every((piece) => words.has(piece) || [...words].some((other) => isKin(piece, other)));
}

/** Case endings of names in Russian, Ukrainian, and Greek, folded. */
const FOREIGN_ENDING =
  /^(?:|[аяуюеиіыойєэьї]|о[йюм]|е[йюм]|а[мх]|я[мх]|ами|ями|ого|ому|[иы][мхйе]|[иы]ми|ая|ую|ою|[σναηοω]|α[σν]|ο[σνυι]|ου[σν]?|η[σν]|ων|εσ)$/u;

function isKin(word: string, other: string): boolean {
  if (word.length === 1) return false;
  let shared = 0;
  while (shared < word.length && word[shared] === other[shared]) shared++;
  if (!LATIN.test(word))
    return shared >= 3 && [word, other].every((one) => FOREIGN_ENDING.test(one.slice(shared)));
  return shared >= 4 && ENDINGS.has(word.slice(shared)) && ENDINGS.has(other.slice(shared));
}
