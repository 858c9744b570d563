/** Keeps the start and the end of a long text, with a note between them about how much is missing. */
export function cutMiddle(text: string, maxCharacters: number, note = ''): string {
  if (text.length <= maxCharacters) return text;
  const head = Math.ceil((maxCharacters * 2) / 3);
  const tail = maxCharacters - head;
  const start = beginning(text, head);
  const end = tail === 0 ? '' : text.slice(-tail).replace(/^[\udc00-\udfff]/, '');
  const gone = text.length - start.length - end.length;
  return `${start}\n[… ${gone} characters cut${note} …]\n${end}`;
}

/** Returns the start of a text: at most this many UTF-16 units, never half a surrogate pair. */
export function beginning(text: string, maxUnits: number): string {
  return text.slice(0, maxUnits).replace(/[\ud800-\udbff]$/, '');
}
