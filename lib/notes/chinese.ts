/** Whether what the service itself writes for the locale is in Chinese; in English else. */
export function isChinese(locale: string): boolean {
  return /^zh\b/i.test(locale);
}

/** A Chinese word has two characters, an English one five: a third of the letters is most of the words. */
const SHARE = 1 / 3;

/** Whether a text is written in Chinese, whatever foreign names stand in it. Kana tell Japanese. */
export function isMostlyChinese(text: string): boolean {
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  const han = count(/\p{Script=Han}/gu);
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  return han > count(/\p{L}/gu) * SHARE && kana * 10 < han;
}
