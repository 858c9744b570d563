const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * Writes the digits of a superscript as Unicode superscripts, because `12<sup>4</sup>` would otherwise be
 * read as 124. Other characters stay, as in `1<sup>st</sup>`.
 */
export function raiseDigits(text: string): string {
  return text
    .replace(/[+−-](?=\d)/g, (sign) => (sign === '+' ? '⁺' : '⁻'))
    .replace(/\d/g, (digit) => RAISED.charAt(Number(digit)));
}
