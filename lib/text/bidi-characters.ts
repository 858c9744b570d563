/** Removes bidirectional control characters from untrusted text, because they could show `gpj.exe` as `exe.jpg`. */
export function withoutBidiCharacters(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}
