/** A hundred papers of some hundred authors each. Reading more than this takes over a tenth of a second. */
const MOST_MARKS = 100_000;
/** Different names take four times as long: V8 creates a hidden class for each. */
const MOST_NAMES = 5000;

/** The name of an element, or of an attribute. */
const NAME = /<\/?([^\s<>/=]*)|\s([^\s<>/="']+)=/g;

/** Returns whether XML can be parsed without blocking the event loop: at most 100,000 tags and attributes, of 5,000 names. */
export function isBoundedXml(text: string): boolean {
  const names = new Set<string>();
  let marks = 0;
  for (const [, element, attribute] of text.matchAll(NAME)) {
    names.add(element ?? attribute ?? '');
    if (++marks > MOST_MARKS || names.size > MOST_NAMES) return false;
  }
  return true;
}
