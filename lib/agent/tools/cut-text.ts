/** The beginning and the end of a text that is too long, with a note between them of how much is gone. */
export function cutMiddle(text: string, maxCharacters: number, note = ''): string {
  if (text.length <= maxCharacters) return text;
  const head = Math.ceil((maxCharacters * 2) / 3);
  const tail = maxCharacters - head;
  const start = dropHalf(text.slice(0, head));
  const end = tail === 0 ? '' : text.slice(-tail).replace(/^[\udc00-\udfff]/, '');
  const gone = text.length - start.length - end.length;
  return `${start}\n[… ${gone} characters cut${note} …]\n${end}`;
}

function dropHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
