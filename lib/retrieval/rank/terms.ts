/** Words of a question that say how it is asked, not what about. In lower case. */
const ENGLISH = `a about above after again all also am an and any anybody anyone anything are as at be because been
before being below between both but by can cannot could did do does doing done down during each either else ever every
for from further get gets got had has have having he her here hers herself him himself his how i if in into is it its
itself just let like many may me might mine more most much must my myself no nor not now of off on once only or other
our ours ourselves out over own please said same say says shall she should so some such tell tells than that the their
theirs them themselves then there these they this those through to too under until up upon us very was we were what
whatever when where whether which while who whoever whom whose why will with within without would you your yours
yourself yourselves`;

const CHINESE = `的 地 得 了 着 过 是 在 有 和 与 或 及 而 但 就 都 也 还 又 很 不 没 没有 吗 呢 吧 啊 么 之 其 于 以
把 被 给 让 对 从 到 向 跟 我 你 您 他 她 它 我们 你们 他们 她们 它们 自己 这 那 这个 那个 这些 那些 这里 那里 这样
那样 什么 怎么 怎样 怎么样 什么时候 什么地方 什么样 如何 为什么 为何 哪 哪个 哪些 哪里 哪儿 谁 几 几个 多少 多久 多长
何时 何 时候 可以 可 能 能够 会 要 应该 应 该 想 需要 请 请问 一个 一下 一些 是否 有没有 是不是 能不能 可不可以 里
里面 中 上 下 用 做 办 件 种 个`;

const stopWords: ReadonlySet<string> = new Set(`${ENGLISH} ${CHINESE}`.split(/\s+/));

/** An abbreviation is a term, even if its letters form a stop word: `IT`, `WHO`. */
const ABBREVIATION = /^[A-Z]{2,}$/;
const MAX_TERMS = 64;

let segmenter: Intl.Segmenter | undefined;

/** Questions with more terms are texts: what they repeat is what they are about. In shorter ones, a repetition means nothing. */
const LONG = 24;

/** Returns the words that say what a question is about, as written, each once. */
export function termsOf(question: string): string[] {
  const terms = new Map<string, string>();
  for (const word of wordsOf(question)) {
    if (terms.size >= MAX_TERMS) break;
    terms.set(word.toLowerCase(), word);
  }
  return [...terms.values()];
}

/** Returns what the full-text index is asked for: the terms of a question, and in a long one each as often as it occurs. */
export function searchedTerms(question: string): string[] {
  const terms = termsOf(question);
  if (terms.length <= LONG) return terms;
  const known = new Set(terms.map((term) => term.toLowerCase()));
  return [...wordsOf(question)].filter((word) => known.has(word.toLowerCase()));
}

/** Yields the words of a question without its stop words. */
function* wordsOf(question: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const isShouted = !/\p{Ll}/u.test(question);
  for (const { segment, isWordLike } of segmenter.segment(question)) {
    if (!isWordLike) continue;
    const word = segment.replace(/['’](s|t|re|ve|ll|d|m)$/iu, '');
    if (!stopWords.has(word.toLowerCase()) || (ABBREVIATION.test(word) && !isShouted)) yield word;
  }
}
