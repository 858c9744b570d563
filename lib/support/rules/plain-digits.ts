/** Circled digits without a compatibility form: the character before the first of a run, and the length of the run. */
const DINGBATS = [
  [0x2775, 10],
  [0x277f, 10],
  [0x2789, 10],
  [0x24ea, 10],
  [0x24f4, 10],
] as const;
const SIGNS: Record<string, string> = {
  '٫': '.',
  '٬': ',',
  '٪': '%',
  '﹣': '-',
  '∶': ':',
  '－': '-',
  '～': '~',
};
const FORMAL: Record<string, string> = {
  ...{ 壹: '一', 贰: '二', 貳: '二', 叁: '三', 參: '三', 肆: '四', 伍: '五', 陆: '六', 陸: '六', 柒: '七' },
  ...{ 捌: '八', 玖: '九', 拾: '十', 佰: '百', 仟: '千', 萬: '万', 億: '亿', 兩: '两', 零: '零', 〇: '〇' },
  ...{ 万: '万', 亿: '亿', 圆: '元', 圓: '元' },
};

/**
 * Returns a text with the digits of every script and style as ASCII, without invisible characters. A
 * superscript after 10 becomes a power (`10⁶` becomes `10^6`), and a vulgar fraction keeps its slash (`½`
 * becomes `1⁄2`). Unknown numerals stay unchanged.
 */
export function plainDigits(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/(?<=[\p{L}\p{Nd}])[⁺⁻]?[⁰¹²³⁴-⁹]+/gu, readSuperscript)
    .replace(/(\p{Nd})?([¼-¾⅐-⅞↉])/gu, (_, digit = '', part) => `${digit} ${part.normalize('NFKC')}`)
    .replace(/[\u2460-\u24FF\u2776-\u2793]/gu, readDingbat)
    .replace(/(?!〇)[\p{No}\p{Nl}\u{1D400}-\u{1D7FF}\uFF01-\uFF5E]/gu, narrow)
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[٫٬٪﹣∶－～]/g, (sign) => SIGNS[sign] ?? sign)
    .replace(/[壹贰貳叁肆柒捌玖佰仟萬億兩]|[壹贰貳叁參肆伍陆陸柒捌玖拾佰仟萬億兩零〇万亿圆圓]{2,}/g, (run) =>
      [...run].map((one) => FORMAL[one] ?? one).join(''),
    )
    .replace(/[卅廿]/g, (tens) => (tens === '廿' ? '二十' : '三十'));
}

/**
 * Reads a superscript: a power of ten or two, or part of a unit (`m²`) or a variable. After any other number,
 * a year, or a word, it marks a footnote.
 */
function readSuperscript(found: string, at: number, text: string): string {
  const before = text.slice(Math.max(0, at - 40), at);
  const [word = ''] = /\p{Nd}[\p{Nd}.,]*$|\p{L}+$/u.exec(before) ?? [];
  const isPower = /^(?:10|2|\p{L}{1,3})$/u.test(word) || /^[⁺⁻]/.test(found);
  return isPower ? `^${found.normalize('NFKC').replace('−', '-')}` : ' ';
}

function readDingbat(character: string): string {
  const code = character.charCodeAt(0);
  const run = DINGBATS.find(([before, count]) => code > before && code <= before + count);
  if (run === undefined) return narrow(character);
  return String(code - run[0] + (run[0] === 0x24ea ? 10 : 0));
}

/**
 * Converts a full-width character to its normal width, except Chinese commas and colons, which separate
 * sentences.
 */
function narrow(character: string): string {
  return /[，：；！？（）]/.test(character) ? character : character.normalize('NFKC');
}

/** Unicode encodes the digits of each script as ten consecutive characters, from zero. */
const known = new Map<string, string>();

function digitOf(digit: string): string {
  const ascii = known.get(digit) ?? asciiOf(digit);
  known.set(digit, ascii);
  return ascii;
}

function asciiOf(digit: string): string {
  if (/\d/.test(digit)) return digit;
  let zero = digit.codePointAt(0) ?? 0;
  const code = zero;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}
