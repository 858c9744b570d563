/** The units that a number may have, by the name under which spellings of one are the same. */
const SPELLINGS: Record<string, string> = {
  '%': '%|percent|per cent|pct',
  'percentage point': 'percentage points?|pp|ppts?|个百分点|百分点',
  USD: 'US dollars?|dollars?|USD|美元',
  EUR: 'euros?|EUR|欧元',
  CNY: 'yuan|RMB|CNY|renminbi|人民币|元',
  GBP: 'pounds sterling|GBP|英镑',
  JPY: 'yen|JPY|日元',
  nanosecond: 'nanoseconds?|ns|纳秒',
  microsecond: 'microseconds?|µs|μs|微秒',
  millisecond: 'milliseconds?|msecs?|ms|毫秒',
  second: 'seconds?|secs?|s|秒钟|秒',
  minute: 'minutes?|mins?|分钟',
  hour: 'hours?|hrs?|h|个小时|小时',
  day: 'days?|天',
  week: 'weeks?|个星期|星期|周',
  month: 'months?|个月',
  year: 'years?|yrs?|年',
  nanometre: 'nanomet(?:er|re)s?|nm|纳米',
  micrometre: 'micromet(?:er|re)s?|microns?|µm|μm|微米',
  millimetre: 'millimet(?:er|re)s?|mm|毫米',
  centimetre: 'centimet(?:er|re)s?|cm|厘米',
  kilometre: 'kilomet(?:er|re)s?|km|千米|公里',
  metre: 'met(?:er|re)s?|m|米',
  mile: 'miles?|mi|英里',
  foot: 'feet|foot|ft|英尺',
  inch: 'inch(?:es)?|英寸',
  milligram: 'milligrams?|mg|毫克',
  microgram: 'micrograms?|µg|μg|微克',
  kilogram: 'kilograms?|kilos?|kg|千克|公斤',
  gram: 'grams?|g|克',
  tonne: 'tonnes?|tons?|吨',
  litre: 'lit(?:er|re)s?|L|升',
  millilitre: 'millilit(?:er|re)s?|mL|ml|毫升',
  byte: 'bytes?|B|字节',
  bit: 'bits?|比特',
  kilobyte: 'kilobytes?|kB|KB',
  megabyte: 'megabytes?|MB',
  gigabyte: 'gigabytes?|GB',
  terabyte: 'terabytes?|TB',
  kibibyte: 'kibibytes?|KiB',
  mebibyte: 'mebibytes?|MiB',
  gibibyte: 'gibibytes?|GiB',
  tebibyte: 'tebibytes?|TiB',
  hertz: 'hertz|Hz|赫兹',
  kilohertz: 'kHz',
  megahertz: 'MHz|兆赫',
  gigahertz: 'GHz',
  kelvin: 'kelvins?|K|开尔文',
  celsius: 'degrees? Celsius|degrees? centigrade|°\\s?C|℃|摄氏度',
  fahrenheit: 'degrees? Fahrenheit|°\\s?F|℉|华氏度',
  degree: 'degrees?|°|度',
  watt: 'watts?|W|瓦特?',
  kilowatt: 'kilowatts?|kW|千瓦',
  megawatt: 'megawatts?|MW|兆瓦',
  gigawatt: 'gigawatts?|GW|吉瓦',
  'kilowatt hour': 'kilowatt[ -]hours?|kWh|千瓦时',
  joule: 'joules?|J|焦耳',
  kilojoule: 'kilojoules?|kJ|千焦',
  volt: 'volts?|V|伏特?',
  times: 'times|-?fold|[x×](?![\\p{L}\\d])|倍',
  parts: 'ppm|ppb',
  pixel: 'pixels?|px|像素',
  token: 'tokens?',
};

const BY_LENGTH = Object.entries(SPELLINGS).flatMap(([name, spellings]) =>
  splitSpellings(spellings).map((spelling) => ({ name, spelling })),
);

/** Splits at the bars that do not stand in brackets. */
function splitSpellings(spellings: string): string[] {
  return spellings.split(/\|(?![^(]*\))/);
}

/** Spellings of one sign that are letters mean something else in upper or lower case; words do not. */
const UNITS = BY_LENGTH.toSorted((a, b) => b.spelling.length - a.spelling.length).map(
  ({ name, spelling }) => ({
    name,
    pattern: new RegExp(`^(?:${spelling})(?![A-Za-z])`, /^[a-z?():| -]{5,}$/i.test(spelling) ? 'iu' : 'u'),
    alone: new RegExp(`(?<![\\p{L}\\d])(?:${spelling})(?![A-Za-z])`, 'u'),
  }),
);

/** The unit with which a text begins. */
export function unitAt(text: string): { name: string; length: number } | undefined {
  const lead = /^[\s\u00A0]?(?:-(?=[A-Za-z]))?/.exec(text)?.[0].length ?? 0;
  const rest = text.slice(lead, lead + 30);
  for (const { name, pattern } of UNITS) {
    const found = pattern.exec(rest);
    if (found !== null) return { name, length: lead + found[0].length };
  }
  return undefined;
}

/** Whether a unit is named anywhere, as in the head of a table: `Latency (ms)`. */
export function namesUnit(text: string, unit: string): boolean {
  return UNITS.some(({ name, alone }) => name === unit && alone.test(text));
}

export const CURRENCIES: Record<string, string> = {
  $: 'USD',
  US$: 'USD',
  USD: 'USD',
  '€': 'EUR',
  EUR: 'EUR',
  '£': 'GBP',
  GBP: 'GBP',
  '¥': 'CNY',
  '￥': 'CNY',
  RMB: 'CNY',
  CNY: 'CNY',
};
