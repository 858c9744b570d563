import type { TextRun } from '../../formats/format.ts';

/** The maximum number of characters searched on either side for the ends of a sentence. */
const MAX_AROUND = 600;
const SENTENCE_END = /[.!?]["'”’)\]]*\s+|[。！？]["'”’」』）]*\s*|\n\s*\n/gu;
/** Words that negate, doubt, or limit a statement next to them. */
const TURNS =
  /\b(?:not|no|never|neither|nor|none|nobody|nothing|without|false\w*|wrong\w*|untrue|incorrect\w*|myths?|mistaken\w*|fail\w*|den(?:y|ies|ied|ying)|refut\w+|disprov\w+|debunk\w*|reject\w*|doubt\w*|unlikely|hardly|barely|contrary|cannot|alleged\w*|if|unless|except)\b|n['’]t\b|[不没未非无莫]|否认|谣言|错误|误解|假如|如果/iu;
/** Starts of a sentence that retracts or contradicts the previous one. */
const TAKES_BACK =
  /^["'“‘(]*(?:(?:but|however|yet)\b|(?:not|no|wrong|false|untrue|incorrect|nonsense)\b|in (?:fact|truth|reality)\b|(?:this|that|it|these|those|(?:both|none|neither|all) of (?:this|that|these|those)|the (?:claim|statement|idea|belief|story|rumou?r|result|finding|opposite|contrary|reverse)s?)\b.{0,60}?(?:\b(?:not|no|never|false\w*|wrong\w*|untrue|incorrect\w*|myths?|mistaken|nonsense|refut\w+|disprov\w+|debunk\w*|den(?:y|ies|ied)|reject\w*|doubt\w*|retract\w*|unlikely|unproven|the case|holds|true)\b|n['’]t\b))|^[“「『（]*(?:但|然而|可是|不过|其实|事实上|(?:这|那|此|该|上述).{0,20}?[不没未非假错谣误否])/isu;
/** Words that announce a false sentence. */
const LEADS_TO = /\b(?:the following|what follows)\b|(?:下列|以下|下面)/iu;

/**
 * Extends a range of a text to its whole sentence if the rest may reverse its meaning: `It is false that owls are safe`
 * doesn't say that `owls are safe`. Includes an adjacent sentence that retracts it: `Owls are safe. This is not true.`
 * Otherwise returns the range unchanged. Never exceeds the run or the paragraph.
 */
export function withTurningWords(text: string, place: TextRun, runs: TextRun[]): TextRun {
  const run = runs.find(({ start, end }) => start <= place.start && place.end <= end) ?? place;
  const own = ownSentence(text, place, run);
  return { start: startWithDenial(text, own, run), end: endWithDenial(text, own, run) };
}

function endWithDenial(text: string, { start, end }: TextRun, run: TextRun): number {
  const after = text.slice(end, Math.min(run.end, end + 2 * MAX_AROUND));
  const left = endsItself(text, { start, end }) ? '' : upToEnd(after);
  const gap = /^\s*/.exec(after.slice(left.length))?.[0] ?? '';
  if (isParagraphEnd(gap)) return end;
  const next = upToEnd(after.slice(left.length + gap.length));
  const isWhole = next.length > 0 && next.length < MAX_AROUND;
  return isWhole && TAKES_BACK.test(next) ? end + left.length + gap.length + next.length : end;
}

function startWithDenial(text: string, { start }: TextRun, run: TextRun): number {
  const before = text.slice(Math.max(run.start, start - MAX_AROUND), start);
  const ends = [...before.matchAll(SENTENCE_END)];
  const [last, one] = [ends.at(-1), ends.at(-2)];
  if (last === undefined || isParagraphEnd(last[0])) return start;
  const from = one === undefined ? 0 : one.index + one[0].length;
  const previous = before.slice(from, last.index);
  if (!LEADS_TO.test(previous) || !TURNS.test(previous)) return start;
  return start - before.length + from;
}

function isParagraphEnd(gap: string): boolean {
  return /\n\s*\n/.test(gap);
}

function ownSentence(text: string, place: TextRun, run: TextRun): TextRun {
  const before = text.slice(Math.max(run.start, place.start - MAX_AROUND), place.start);
  const after = text.slice(place.end, Math.min(run.end, place.end + MAX_AROUND));
  const ends = [...before.matchAll(SENTENCE_END)].at(-1);
  const left = before.slice(ends === undefined ? 0 : ends.index + ends[0].length);
  const right = endsItself(text, place) ? '' : upToEnd(after);
  if (!TURNS.test(left) && !TURNS.test(right)) return place;
  const whole = { start: place.start - left.length, end: place.end + right.length };
  return trimmed(text, whole, place);
}

function endsItself(text: string, { start, end }: TextRun): boolean {
  return /[.!?。！？]["'”’)\]」』）]*$/u.test(text.slice(Math.max(start, end - 5), end));
}

function upToEnd(after: string): string {
  const [first] = after.matchAll(SENTENCE_END);
  return first === undefined ? after : after.slice(0, first.index) + first[0].trimEnd();
}

/** Removes whitespace at the ends of a range, and words that the limit cut. */
function trimmed(text: string, { start, end }: TextRun, place: TextRun): TextRun {
  const left = text.slice(start, place.start);
  const right = text.slice(place.end, end);
  const cutLeft = left.length >= MAX_AROUND ? /^\S*\s*/.exec(left) : /^\s*/.exec(left);
  const kept = right.length >= MAX_AROUND ? right.slice(0, Math.max(0, right.search(/\s\S*$/))) : right;
  return { start: start + (cutLeft?.[0].length ?? 0), end: end - right.length + kept.trimEnd().length };
}
