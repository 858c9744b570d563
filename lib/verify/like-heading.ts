import { holdsFacts } from '../support/rules/facts.ts';

const ENDS = /[.!?。！？…;；][\])"'”’」』）*_]*$/u;
/** More words without a full stop are an item of a list, which may state something. */
const WORDS = 8;
const HAN = 16;
/** Longer lines are none. */
const MAX_LENGTH = 200;

/** Returns whether a text is a short line without a full stop, and without a fact that could be checked. */
export function isLikeHeading(text: string): boolean {
  if (/^#{1,6}\s/.test(text)) return true;
  if (text.length > MAX_LENGTH || ENDS.test(text) || holdsFacts(text)) return false;
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han > 0 ? han <= HAN : text.split(/\s+/).length <= WORDS;
}
