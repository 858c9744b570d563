/** Removes bidirectional control characters from untrusted text: they would show `gpj.exe` as `exe.jpg`. */
export function withoutBidiCharacters(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}
