/** Returns the most frequent line ending of a text, because a text field has only one kind. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  const all = text.match(/\n/g)?.length ?? 0;
  const both = text.match(/\r\n/g)?.length ?? 0;
  return 2 * both > all ? '\r\n' : '\n';
}

export function withLineEnds(text: string, end: '\n' | '\r\n'): string {
  const plain = text.replace(/\r\n/g, '\n');
  return end === '\n' ? plain : plain.replace(/\n/g, end);
}
