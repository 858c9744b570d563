/**
 * Names in scripts without capital letters. Code recognizes countries (from the language's own list), large
 * cities, people by their family name or title, and words in katakana. Only a judge can check other names.
 */
interface Script {
  test: RegExp;
  languages: string[];
  cities: string;
}

const SCRIPTS: Script[] = [
  {
    test: /\p{Script=Han}/u,
    languages: ['zh-Hans', 'zh-Hant', 'ja'],
    cities:
      '北京 上海 天津 重庆 重慶 香港 澳门 澳門 台北 广州 廣州 深圳 南京 武汉 武漢 成都 西安 杭州 苏州 蘇州 青岛 青島 大连 大連 沈阳 瀋陽 长沙 長沙 郑州 鄭州 济南 濟南 厦门 廈門 昆明 哈尔滨 福州 合肥 南昌 贵阳 南宁 海口 拉萨 乌鲁木齐 呼和浩特 银川 西宁 兰州 太原 石家庄 长春 宁波 无锡 东莞 佛山 高雄 台中 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 广西 海南 四川 贵州 云南 西藏 陕西 甘肃 青海 宁夏 新疆 内蒙古 东京 東京 大阪 京都 横浜 名古屋 札幌 福岡 神戸 広島 仙台 沖縄 北海道 首尔 首爾 釜山 平壤 曼谷 河内 新德里 孟买 莫斯科 基辅 伦敦 倫敦 巴黎 柏林 慕尼黑 罗马 羅馬 米兰 马德里 巴塞罗那 里斯本 维也纳 布拉格 华沙 雅典 斯德哥尔摩 哥本哈根 奥斯陆 赫尔辛基 日内瓦 布鲁塞尔 阿姆斯特丹 伊斯坦布尔 开罗 开普敦 内罗毕 迪拜 德黑兰 巴格达 耶路撒冷 纽约 紐約 华盛顿 洛杉矶 旧金山 芝加哥 波士顿 西雅图 多伦多 温哥华 墨西哥城 圣保罗 里约热内卢 悉尼 墨尔本',
  },
  {
    test: /\p{Script=Hangul}/u,
    languages: ['ko'],
    cities:
      '서울 부산 인천 대구 대전 광주 울산 수원 제주 평양 도쿄 오사카 교토 베이징 상하이 홍콩 런던 파리 베를린 로마 모스크바 뉴욕 워싱턴 로스앤젤레스',
  },
  {
    test: /\p{Script=Arabic}/u,
    languages: ['ar', 'fa'],
    cities:
      'القاهرة الإسكندرية بغداد دمشق بيروت عمان الرياض جدة مكة دبي أبوظبي الدوحة الكويت صنعاء الخرطوم طرابلس الجزائر الرباط القدس غزة إسطنبول أنقرة طهران موسكو لندن باريس برلين روما واشنطن نيويورك تهران',
  },
  {
    test: /\p{Script=Hebrew}/u,
    languages: ['he'],
    cities:
      'ירושלים חיפה אילת באר־שבע נתניה אשדוד רמאללה קהיר ביירות דמשק עמאן לונדון פריז ברלין רומא מוסקבה וושינגטון',
  },
];

/** Returns the two-letter codes of the countries for which a language has a name. */
function countriesOf(language: string): string[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((one) => letters.flatMap((other) => names.of(one + other) ?? []))
    .filter((name) => name.length > 1);
}

const known = new Map<Script, Set<string>>();

/** Returns known places. Built at first use, because the lists of languages are large. */
function placesOf(script: Script): Set<string> {
  const places =
    known.get(script) ?? new Set([...script.cities.split(' '), ...script.languages.flatMap(countriesOf)]);
  known.set(script, places);
  return places;
}

const PLACE_LENGTHS = 8;
/** Matches prefixes that are written without a space: `and`, `in`, `the`. */
const PREFIXES = /^(?:[وفبكل]?ال|[והבלמכש])/u;

/** Returns the names in a text whose script has no capital letters, as the text writes them. */
export function unspacedNames(text: string): string[] {
  const scripts = SCRIPTS.filter(({ test }) => test.test(text));
  return [...new Set([...scripts.flatMap((script) => placesIn(text, script)), ...people(text)])];
}

function placesIn(text: string, script: Script): string[] {
  const places = placesOf(script);
  return (text.match(/[\p{L}\p{M}־]+/gu) ?? []).flatMap((run) =>
    script.test.test(run)
      ? placesInRun(run, places, script.languages[0] === 'zh-Hans' || /\p{Script=Hangul}/u.test(run))
      : [],
  );
}

/**
 * Returns the places in a run of Han or Hangul, where a name may start at any character. The longest name
 * counts.
 */
function placesInRun(run: string, places: Set<string>, isUnspaced: boolean): string[] {
  if (!isUnspaced)
    return [run, run.replace(PREFIXES, ''), `ال${run.replace(PREFIXES, '')}`]
      .filter((one) => places.has(one))
      .slice(0, 1);
  const found: string[] = [];
  for (let at = 0; at < run.length; at++) {
    const longest = [...Array(PLACE_LENGTHS).keys()]
      .map((less) => run.slice(at, at + PLACE_LENGTHS - less))
      .find((one) => one.length > 1 && places.has(one));
    if (longest === undefined) continue;
    found.push(longest);
    at += longest.length - 1;
  }
  return found;
}

const SURNAMES =
  '王李张張刘劉陈陳杨楊赵趙黄吴吳徐孙孫朱郭罗羅梁宋郑鄭谢謝韩韓唐冯馮董萧蕭程曹袁邓鄧许許傅沈曾彭吕呂苏蘇卢盧蒋蔡贾丁魏薛阎余潘杜戴夏钟汪姜范姚谭廖邹熊陆郝孔崔邱秦史顾侯邵孟龙段雷钱汤尹黎贺龚';
const TITLED =
  /(?<name>[\p{Script=Han}]{1,4}|(?<![\p{Script=Katakana}ー])[\p{Script=Katakana}ー]{2,})(?:さん|氏|博士|首相|社長|大統領)/gu;

function people(text: string): string[] {
  const titled = [...text.matchAll(TITLED)].flatMap(({ groups }) => groups?.name ?? []);
  if (!/\p{Script=Han}/u.test(text) || /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return titled;
  return [...titled, ...chinesePeople(text)];
}

let segmenter: Intl.Segmenter | undefined;

/**
 * Returns names of people. The segmenter's dictionary has no names, so it separates a family name from the
 * next characters.
 */
function chinesePeople(text: string): string[] {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' });
  const pieces = [...segmenter.segment(text)].map(({ segment }) => segment);
  return pieces.flatMap((piece, at) => {
    const given = pieces[at + 1] ?? '';
    const isName =
      SURNAMES.includes(piece) &&
      /^\p{Script=Han}$/u.test(given) &&
      !/[的了在是和与及说为有将也就都曾]/u.test(given);
    return isName ? [piece + given] : [];
  });
}

const KATAKANA = /[\p{Script=Katakana}ー]{3,}/gu;

/**
 * Returns words in katakana that no quote contains, if a quote contains others instead. They may be names, or
 * only loanwords.
 */
export function otherKatakana(sentence: string, quotes: string[]): string[] {
  const own = new Set(sentence.match(KATAKANA));
  const said = new Set(quotes.flatMap((quote) => quote.match(KATAKANA) ?? []));
  const isReplaced = [...said].some((word) => !own.has(word));
  return isReplaced ? [...own].filter((word) => !said.has(word)) : [];
}
