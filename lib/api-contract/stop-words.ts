/** Words about how a question is asked, not about its subject, in lower case. */
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

/** Returns whether search ignores the word, so that results don't highlight it. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word.toLowerCase());
}
