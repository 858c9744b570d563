import type { TextRun } from '../../formats/format.ts';

/** How far a sentence is looked for on either side. */
const MAX_AROUND = 600;
const SENTENCE_END = /[.!?]["'”’)\]]*\s+|[。！？]["'”’」』）]*\s*|\n\s*\n/gu;
/** What turns, doubts or bounds what is said beside it. */
const TURNS =
  /\b(?:not|no|never|neither|nor|none|nobody|nothing|without|false\w*|wrong\w*|untrue|incorrect\w*|myths?|mistaken\w*|fail\w*|den(?:y|ies|ied|ying)|refut\w+|disprov\w+|debunk\w*|reject\w*|doubt\w*|unlikely|hardly|barely|contrary|cannot|alleged\w*|if|unless|except)\b|n['’]t\b|[不没未非无莫]|否认|谣言|错误|误解|假如|如果/iu;

/**
 * A stretch of a text with the whole of its sentence, where the rest of that may turn what the stretch says: `owls are safe` is
 * not what `It is false that owls are safe` says. Else the stretch as it is. Not beyond the run that is read.
 */
export function withTurningWords(text: string, place: TextRun, runs: TextRun[]): TextRun {
  const run = runs.find(({ start, end }) => start <= place.start && place.end <= end) ?? place;
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

/** Without white space at its ends, and without what the bound has cut. */
function trimmed(text: string, { start, end }: TextRun, place: TextRun): TextRun {
  const left = text.slice(start, place.start);
  const right = text.slice(place.end, end);
  const cutLeft = left.length >= MAX_AROUND ? /^\S*\s*/.exec(left) : /^\s*/.exec(left);
  const cutRight = right.length >= MAX_AROUND ? /\s*\S*$/.exec(right) : /\s*$/.exec(right);
  return { start: start + (cutLeft?.[0].length ?? 0), end: end - (cutRight?.[0].length ?? 0) };
}
