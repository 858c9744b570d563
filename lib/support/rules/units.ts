import { LRUCache } from 'lru-cache';

/** The units of numbers, by a name that stands for all spellings of a unit. */
const SPELLINGS: Record<string, string> = {
  '%': '%|percent|per cent|pct|Prozent|pour cent|por ciento|por cento|per cento|procent',
  'per mille': '‰|per mille|per mil',
  'basis point': 'basis points?|bps|个基点|基点',
  'percentage point':
    'percentage points?|pp|ppts?|个百分点|百分点|Prozentpunkten?|points? de pourcentage|puntos? porcentuales|pontos? percentuais',
  USD: 'US dollars?|U\\.S\\. dollars?|American dollars?|dollars?|USD|美元|dólar(?:es)?|dollari',
  HKD: 'Hong Kong dollars?|HKD|港元|港币',
  CAD: 'Canadian dollars?|CAD|加元',
  AUD: 'Australian dollars?|AUD|澳元',
  NZD: 'New Zealand dollars?|NZD|新西兰元',
  SGD: 'Singapore dollars?|SGD|新加坡元|新元',
  TWD: 'Taiwan dollars?|TWD|新台币|台币',
  CHF: 'Swiss francs?|CHF|瑞士法郎',
  INR: 'rupees?|INR|卢比',
  RUB: 'rubles?|roubles?|RUB|卢布',
  KRW: 'won|KRW|韩元',
  SEK: 'Swedish kron(?:a|or)|SEK|瑞典克朗',
  NOK: 'Norwegian kron(?:e|er)|NOK|挪威克朗',
  DKK: 'Danish kron(?:e|er)|DKK|丹麦克朗',
  PLN: 'zlot(?:y|ys)|PLN',
  BRL: 'reais|BRL',
  TRY: 'Turkish liras?',
  ILS: 'shekels?|ILS',
  THB: 'baht|THB|泰铢',
  VND: 'dong|VND',
  UAH: 'hryvnias?|UAH',
  ZAR: 'rand|ZAR',
  BTC: 'bitcoins?|BTC|比特币',
  EUR: 'euros?|EUR|欧元',
  CNY: 'yuan|RMB|CNY|renminbi|人民币|元',
  GBP: 'pounds sterling|GBP|英镑',
  JPY: 'yen|JPY|日元',
  nanosecond: 'nanoseconds?|ns|纳秒',
  microsecond: 'microseconds?|µs|μs|微秒',
  millisecond: 'milliseconds?|msecs?|ms|毫秒',
  second: 'seconds?|secs?|s|秒钟|秒|Sekunden?|secondes?|segundos?|secondi',
  minute: 'minutes?|mins?|分钟|Minuten|minutos?|minuti|minuten',
  hour: 'hours?|hrs?|h|个小时|小时|Stunden?|heures?|horas?|uren|uur',
  day: 'days?|天|Tagen?|Tag|jours?|días?|dias?|giorni|dagen',
  week: 'weeks?|个星期|星期|周|Wochen?|semaines?|semanas?|settimane|weken',
  month: 'months?|个月|Monaten?|Monat|mois|meses|mes|mesi|maanden',
  year: 'years?|yrs?|年|Jahren?|Jahres|Jahr|jährige?[rsnm]?|années?|années|ans|años?|anos|anni|jaar|jaren',
  nanometre: 'nanomet(?:er|re)s?|nm|纳米',
  micrometre: 'micromet(?:er|re)s?|microns?|µm|μm|微米',
  millimetre: 'millimet(?:er|re)s?|mm|毫米|Millimetern|millimètres?|milímetros?',
  centimetre: 'centimet(?:er|re)s?|cm|厘米|Zentimetern?|centimètres?|centímetros?',
  kilometre:
    'kilomet(?:er|re)s?|km|kph|kmh|千米|公里|Kilometern|kilomètres?|kilómetros?|quilómetros?|quilômetros?|chilometri',
  metre: 'met(?:er|re)s?|m|米|Metern|mètres?|metros?|metri',
  'square metre':
    'square met(?:er|re)s?|sq\\.? ?m|m\\^2|平方米|Quadratmetern?|mètres carrés|metros cuadrados',
  'square kilometre':
    'square kilomet(?:er|re)s?|sq\\.? ?km|km\\^2|平方公里|平方千米|Quadratkilometern?|kilomètres carrés|kilómetros cuadrados',
  'square centimetre': 'square centimet(?:er|re)s?|cm\\^2|平方厘米',
  'square foot': 'square (?:feet|foot)|sq\\.? ?ft|ft\\^2|平方英尺',
  'square mile': 'square miles?|sq\\.? ?mi',
  'cubic metre': 'cubic met(?:er|re)s?|m\\^3|立方米',
  'cubic centimetre': 'cubic centimet(?:er|re)s?|cm\\^3|cc|立方厘米',
  hectare: 'hectares?|ha|公顷|Hektar|hectáreas?',
  acre: 'acres?|英亩',
  mile: 'miles?|mi|mph|英里',
  foot: 'feet|foot|ft|英尺',
  inch: 'inch(?:es)?|英寸',
  ounce: 'ounces?|oz|盎司',
  pound: 'pounds?|lbs?|磅',
  milligram: 'milligrams?|mg|毫克',
  microgram: 'micrograms?|µg|μg|mcg|微克',
  kilogram: 'kilograms?|kilos?|kg|千克|公斤|Kilogramm|kilogrammes?|kilogramos?',
  gram: 'grams?|g|克|Gramm|grammes?|gramos?|grammi|gramas?',
  tonne: 'tonnes?|tons?|t|吨|Tonnen|toneladas?|tonnellate',
  litre: 'lit(?:er|re)s?|L|升|Litern|litros?|litri',
  millilitre: 'millilit(?:er|re)s?|mL|ml|毫升',
  gallon: 'gallons?|gal|加仑',
  mole: 'moles?|mol|摩尔',
  millimole: 'millimoles?|mmol|毫摩尔',
  micromole: 'micromoles?|µmol|μmol|微摩尔',
  pascal: 'pascals?|Pa|帕斯卡',
  hectopascal: 'hectopascals?|hPa|百帕',
  kilopascal: 'kilopascals?|kPa|千帕',
  megapascal: 'megapascals?|MPa|兆帕',
  psi: 'psi',
  bar: 'bar',
  millibar: 'millibars?|mbar|毫巴',
  atmosphere: 'atm',
  mmHg: 'mm ?Hg|毫米汞柱',
  decibel: 'decibels?|dB|分贝',
  calorie: 'calories?|cal|卡路里',
  kilocalorie: 'kilocalories?|kcal|千卡|大卡',
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
  celsius:
    'degrees? Celsius|degrees? centigrade|°\\s?C|℃|摄氏度|Grad Celsius|degrés Celsius|grados Celsius|gradi Celsius',
  fahrenheit: 'degrees? Fahrenheit|°\\s?F|℉|华氏度',
  degree: 'degrees?|°|度|Grad|degrés?|grados?|gradi|graus?',
  watt: 'watts?|W|瓦特?',
  kilowatt: 'kilowatts?|kW|千瓦',
  megawatt: 'megawatts?|MW|兆瓦',
  gigawatt: 'gigawatts?|GW|吉瓦',
  'watt hour': 'watt[ -]hours?|Wh|瓦时',
  'kilowatt hour': 'kilowatt[ -]hours?|kWh|千瓦时',
  joule: 'joules?|J|焦耳',
  kilojoule: 'kilojoules?|kJ|千焦',
  volt: 'volts?|V|伏特?',
  times: 'times|-?fold|[x×](?![\\p{L}\\d])|倍',
  parts: 'ppm|ppb',
  pixel: 'pixels?|px|像素',
  token: 'tokens?',
};

/** Currency codes before an amount, except those that are ordinary words. */
export const CURRENCY_CODES =
  'USD|EUR|GBP|RMB|CNY|JPY|CHF|SEK|NOK|DKK|CAD|AUD|NZD|SGD|HKD|TWD|KRW|INR|RUB|UAH|PLN|CZK|HUF|BRL|MXN|ZAR|ILS|THB|VND|IDR|MYR|BTC';

/** Currency names that several countries share. */
const SHARED_MONEY = 'dollar|pound|franc|peso|rupee|won|dinar|shilling|krona|krone|lira';

const BY_LENGTH = [...Object.entries(SPELLINGS), ...otherCurrencies()].flatMap(([name, spellings]) =>
  splitSpellings(spellings).map((spelling) => ({ name, spelling })),
);

/** Splits a list of spellings at the bars outside of parentheses. */
function splitSpellings(spellings: string): string[] {
  return spellings.split(/\|(?![^(]*\))/);
}

/**
 * Returns the other currencies by their English names: `forints`. A currency whose name another country shares has only
 * its code.
 */
function otherCurrencies(): [name: string, spelling: string][] {
  const names = new Intl.DisplayNames(['en'], { type: 'currency' });
  return CURRENCY_CODES.split('|').flatMap((code): [string, string][] => {
    const money = names.of(code)?.split(' ').at(-1)?.toLowerCase() ?? '';
    if (code in SPELLINGS || !/^[a-z]{4,}$/.test(money) || SHARED_MONEY.split('|').includes(money)) return [];
    return [[code, `${money}s?|${code}`]];
  });
}

/** A spelling of one letter means something else in the other case; words don't. */
const UNITS = BY_LENGTH.toSorted((a, b) => b.spelling.length - a.spelling.length).map(
  ({ name, spelling }) => ({
    name,
    pattern: new RegExp(`^(?:${spelling})(?![A-Za-zÀ-ɏ])`, /^[a-z?():| -]{5,}$/i.test(spelling) ? 'iu' : 'u'),
    alone: new RegExp(`(?<![\\p{L}\\d])(?:${spelling})(?![A-Za-zÀ-ɏ])`, 'u'),
  }),
);

/** Returns the unit at the start of a text. */
export function unitAt(text: string): { name: string; length: number } | undefined {
  const lead = /^[\s\u00A0]?(?:-(?=[A-Za-z]))?/.exec(text)?.[0].length ?? 0;
  const rest = text.slice(lead, lead + 30);
  if (/^(?:[\s\d.,;:()]|$)/.test(rest)) return undefined; // no unit starts like this
  const [sign] = /^\p{Sc}/u.exec(rest) ?? [];
  if (sign !== undefined) return { name: currencyOf(sign), length: lead + sign.length };
  for (const { name, pattern } of UNITS) {
    const found = pattern.exec(rest);
    if (found !== null) return { name, length: lead + found[0].length };
  }
  return foreignMoney(text);
}

/** Returns whether a text names a unit anywhere, as table headers do: `Latency (ms)`. */
export function namesUnit(text: string, unit: string): boolean {
  const known = namedIn.get(text) ?? new Map<string, boolean>();
  namedIn.set(text, known);
  const isNamed = known.get(unit) ?? UNITS.some(({ name, alone }) => name === unit && alone.test(text));
  known.set(unit, isNamed);
  return isNamed;
}

/** Cached, because each number of a sentence is looked up in the same texts. */
const namedIn = new LRUCache<string, Map<string, boolean>>({ max: 50 });

const SIGNS: Record<string, string> = {
  ...{
    $: 'USD',
    US$: 'USD',
    HK$: 'HKD',
    C$: 'CAD',
    CA$: 'CAD',
    A$: 'AUD',
    AU$: 'AUD',
    NZ$: 'NZD',
    S$: 'SGD',
  },
  ...{
    NT$: 'TWD',
    R$: 'BRL',
    '€': 'EUR',
    '£': 'GBP',
    '¥': 'CNY',
    '￥': 'CNY',
    RMB: 'CNY',
    '₹': 'INR',
    '₩': 'KRW',
  },
  ...{ '₽': 'RUB', '₴': 'UAH', '₪': 'ILS', '฿': 'THB', '₫': 'VND', '₿': 'BTC' },
};

/**
 * Returns the name of a currency for the sign or code before an amount. The name of an unknown sign is the
 * sign itself.
 */
export function currencyOf(sign: string): string {
  return SIGNS[sign] ?? sign;
}

/** Matches `Zimbabwean dollars`: a currency that isn't listed differs from those that are. */
const FOREIGN_MONEY = new RegExp(
  `^\\s(?<country>\\p{Lu}\\p{L}+(?:\\s\\p{Lu}\\p{L}+)?)\\s(?<money>${SHARED_MONEY})s?(?!\\p{L})`,
  'u',
);

function foreignMoney(text: string): { name: string; length: number } | undefined {
  const { 0: found = '', groups = {} } = FOREIGN_MONEY.exec(text) ?? {};
  if (found === '') return undefined;
  return { name: `${groups.country} ${groups.money}`, length: found.length };
}

/** Units of one dimension with exact conversion factors. A month has no fixed number of days. */
const DIMENSIONS: Record<string, number>[] = [
  {
    ...{ nanosecond: 1e-9, microsecond: 1e-6, millisecond: 1e-3, second: 1, minute: 60, hour: 3600 },
    ...{ day: 86_400, week: 604_800 },
  },
  { month: 1, year: 12, decade: 120, century: 1200 },
  {
    ...{ nanometre: 1e-9, micrometre: 1e-6, millimetre: 1e-3, centimetre: 0.01, metre: 1, kilometre: 1000 },
    ...{ inch: 0.0254, foot: 0.3048, mile: 1609.344 },
  },
  {
    microgram: 1e-6,
    milligram: 1e-3,
    gram: 1,
    kilogram: 1000,
    tonne: 1e6,
    ounce: 28.349523125,
    pound: 453.59237,
  },
  { millilitre: 1e-3, litre: 1 },
  { watt: 1, kilowatt: 1e3, megawatt: 1e6, gigawatt: 1e9 },
  { hertz: 1, kilohertz: 1e3, megahertz: 1e6, gigahertz: 1e9 },
  { pascal: 1, hectopascal: 100, millibar: 100, kilopascal: 1e3, bar: 1e5, megapascal: 1e6 },
  { 'watt hour': 1, 'kilowatt hour': 1000 },
  { byte: 1, kilobyte: 1e3, megabyte: 1e6, gigabyte: 1e9, terabyte: 1e12 },
  { 'basis point': 0.01, 'percentage point': 1 },
];

/** Returns the factor between two units; undefined if no exact one exists. */
export function factorBetween(unit: string, other: string): number | undefined {
  const dimension = DIMENSIONS.find((units) => unit in units && other in units);
  const [one, another] = [dimension?.[unit], dimension?.[other]];
  return one === undefined || another === undefined ? undefined : one / another;
}
