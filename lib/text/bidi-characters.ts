/** A text of others without the marks that turn the direction of writing: they would show `gpj.exe` as `exe.jpg`. */
export function withoutBidiCharacters(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}
