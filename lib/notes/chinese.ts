/** Returns true if the service's own texts are in Chinese for this locale. Otherwise, they are in English. */
export function isChinese(locale: string): boolean {
  return /^zh\b/i.test(locale);
}

/**
 * The minimum share of Chinese characters. A Chinese word has about two characters and an English word five,
 * so a third of the letters is most of the words.
 */
const SHARE = 1 / 3;

/** Returns whether a text is mostly Chinese, even with foreign names in it. Kana show that it is Japanese. */
export function isMostlyChinese(text: string): boolean {
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  const han = count(/\p{Script=Han}/gu);
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  return han > count(/\p{L}/gu) * SHARE && kana * 10 < han;
}
