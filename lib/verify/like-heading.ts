import { holdsFacts } from '../support/rules/facts.ts';

const ENDS = /[.!?。！？…;；][\])"'”’」』）*_]*$/u;
/** More words without a full stop are an item of a list, which may state something. */
const WORDS = 8;
const HAN = 16;
/** Longer lines are none. */
const MAX_LENGTH = 200;

/** Returns whether a text is a short line without a full stop, and without a fact that could be checked. */
export function isLikeHeading(text: string): boolean {
  return /^#{1,6}\s/.test(text) || (!ENDS.test(text) && statesLittle(text));
}

/** Returns whether a text is as short as a heading, and has no fact that could be checked. */
export function statesLittle(text: string): boolean {
  if (text.length > MAX_LENGTH || holdsFacts(text)) return false;
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han > 0 ? han <= HAN : text.trim().split(/\s+/).length <= WORDS;
}
