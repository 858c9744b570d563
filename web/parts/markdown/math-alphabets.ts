/**
 * The positions in Unicode at which the capitals, the small letters, and the digits of each alphabet start.
 * Browsers don't apply `mathvariant` to letters.
 */
const ALPHABETS: Record<string, [upper: number, lower: number, digits?: number]> = {
  bold: [0x1d400, 0x1d41a, 0x1d7ce],
  italic: [0x1d434, 0x1d44e],
  'bold-italic': [0x1d468, 0x1d482],
  script: [0x1d49c, 0x1d4b6],
  fraktur: [0x1d504, 0x1d51e],
  'double-struck': [0x1d538, 0x1d552, 0x1d7d8],
  'sans-serif': [0x1d5a0, 0x1d5ba, 0x1d7e2],
  'bold-sans-serif': [0x1d5d4, 0x1d5ee, 0x1d7ec],
  'sans-serif-italic': [0x1d608, 0x1d622],
  monospace: [0x1d670, 0x1d68a, 0x1d7f6],
};

/** Letters that were in Unicode before it added the alphabets. */
const EARLIER: Record<string, string> = {
  'italic h': 'ℎ',
  ...named('script', 'BEFHILMRego', 'ℬℰℱℋℐℒℳℛℯℊℴ'),
  ...named('fraktur', 'CHIRZ', 'ℭℌℑℜℨ'),
  ...named('double-struck', 'CHNPQRZ', 'ℂℍℕℙℚℝℤ'),
};

function named(alphabet: string, letters: string, those: string): Record<string, string> {
  return Object.fromEntries(
    [...letters].map((letter, at) => [`${alphabet} ${letter}`, [...those][at] ?? '']),
  );
}

/** Converts letters and digits to a MathML alphabet, such as `double-struck`. */
export function inAlphabet(text: string, alphabet: string | undefined): string {
  const starts = ALPHABETS[alphabet ?? ''];
  if (starts === undefined) return text;
  const [upper, lower, digits] = starts;
  return text.replace(/[A-Za-z0-9]/g, (character) => {
    const first = /[A-Z]/.test(character) ? 'A' : /[a-z]/.test(character) ? 'a' : '0';
    const start = { A: upper, a: lower, 0: digits }[first];
    const place = character.charCodeAt(0) - first.charCodeAt(0);
    return (
      EARLIER[`${alphabet} ${character}`] ??
      (start === undefined ? character : String.fromCodePoint(start + place))
    );
  });
}
