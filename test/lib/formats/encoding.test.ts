import { describe, expect, it } from '@jest/globals';
import { decodeText, decodeWithName } from '../../../lib/formats/decode.ts';
import { encodeAs } from '../../support/samples/encode-as.ts';

const TEXTS = {
  chinese:
    '北京故宫博物院成立于一九二五年，位于明清两代皇宫的基础上。馆藏文物超过一百八十万件，其中包括书画、陶瓷、青铜器和玉器。游客需要提前在网上预约门票，周一闭馆进行维护。研究人员使用高精度扫描仪记录每一件文物的细节。',
  traditional:
    '臺灣位於亞洲東部，是一個多山的島嶼。中央山脈縱貫南北，最高峰玉山海拔三千九百五十二公尺。這裡的氣候溫暖潮濕，適合種植水稻、茶葉和各種水果。每年有許多遊客前來欣賞風景，品嚐當地的小吃。',
  japanese:
    '東京は日本の首都であり、世界でも有数の大都市です。江戸時代には江戸と呼ばれ、徳川幕府の政治の中心地でした。春になると桜が咲き、多くの人々が公園に集まって花見を楽しみます。この論文では、新しい計算方法について説明します。',
  korean:
    '서울은 대한민국의 수도이며 한강을 따라 발전한 도시이다. 조선 시대에는 한양이라고 불렸고, 오백 년 동안 왕조의 중심지였다. 오늘날에는 천만 명에 가까운 사람들이 살고 있으며, 경복궁과 같은 역사적인 건물이 서 있다.',
  french:
    "L'été dernier, nous avons visité le musée près de la rivière. Les élèves étaient étonnés de découvrir des œuvres créées il y a plusieurs siècles. Le café où nous déjeunions servait des gâteaux délicieux.",
  german:
    'Die Straße führt über die Brücke nach München. Im Frühling blühen die Bäume, und die Vögel kehren aus dem Süden zurück. Für größere Mengen müssen wir die Maße prüfen; außerdem wäre eine Übersicht nützlich.',
  polish:
    'Żółta łódź płynęła powoli w stronę przystani, gdzie czekali już rybacy. Wieczorem słońce zaszło za górami, a chłód okrył całą wieś. Następnego dnia ksiądz ogłosił święto i wszyscy przyszli na mszę.',
  turkish:
    'İstanbul Boğazı kıyısında yaşayan balıkçılar, sabahın erken saatlerinde denize açılır. Öğleden sonra çarşıda taze balık satılır ve şehir halkı akşam yemeği için alışveriş yapar. Güneş batarken ışıklar yanar.',
  lithuanian:
    'Šiaurės vėjas pūtė visą dieną, o vakare pradėjo lyti. Žmonės skubėjo namo, nes žinojo, kad naktį bus šalta. Kitą rytą saulė švietė ryškiai, ir vaikai išėjo žaisti į kiemą prie upės.',
  greek:
    'Η Αθήνα είναι η πρωτεύουσα της Ελλάδας και η μεγαλύτερη πόλη της χώρας. Το καλοκαίρι κάνει πολλή ζέστη και οι κάτοικοι πηγαίνουν στη θάλασσα. Η έρευνα αυτή περιγράφει μια νέα μέθοδο μέτρησης.',
  hebrew:
    'יבול החיטה בצפון הארץ עלה השנה בחמישה אחוזים לעומת השנה הקודמת. משרד החקלאות פרסם דוח מפורט על כל האזורים, והחוקרים בודקים את השפעת הגשמים על איכות הקמח.',
  arabic:
    'تقع المدينة على ضفاف النهر الكبير ويعيش فيها أكثر من مليون نسمة. في الصيف ترتفع درجات الحرارة كثيرا، ويزور السياح المتاحف القديمة والأسواق الشعبية كل عام.',
  thai: 'กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย ตั้งอยู่บนแม่น้ำเจ้าพระยา มีประชากรมากกว่าแปดล้านคน ในฤดูร้อนอากาศร้อนมาก นักวิจัยวัดอุณหภูมิทุกวัน',
  russian:
    'Москва является столицей России и крупнейшим городом страны. В городе живут более двенадцати миллионов человек. Зимой здесь холодно, а летом бывает жарко. В этой статье мы описываем новый метод измерения температуры.',
};

/**
 * Encodings of languages, with the minimum number of correct results among a hundred parts of 10, 20, and 60
 * characters.
 */
const LEAST: [keyof typeof TEXTS, string[], number, number, number][] = [
  ['chinese', ['gb18030'], 85, 95, 100],
  ['traditional', ['big5'], 90, 98, 100],
  ['japanese', ['shift_jis', 'euc-jp'], 85, 95, 100],
  ['korean', ['euc-kr'], 85, 95, 100],
  ['french', ['windows-1252', 'macintosh'], 55, 55, 80],
  ['german', ['windows-1252', 'macintosh'], 50, 90, 100],
  ['polish', ['windows-1250', 'iso-8859-2'], 30, 50, 80],
  ['turkish', ['windows-1254'], 50, 70, 95],
  ['lithuanian', ['windows-1257'], 40, 50, 90],
  ['russian', ['windows-1251', 'koi8-u', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic'], 75, 90, 95],
  ['greek', ['windows-1253', 'iso-8859-7'], 85, 95, 100],
  ['hebrew', ['windows-1255', 'iso-8859-8'], 75, 90, 100],
  ['arabic', ['windows-1256', 'iso-8859-6'], 75, 90, 100],
  ['thai', ['windows-874'], 75, 90, 100],
];

const PIECES = 12;

function shareRead(text: string, encoding: string, length: number): number {
  const starts = Array.from({ length: PIECES }, (_, index) =>
    Math.floor((index * (text.length - length)) / PIECES),
  );
  const pieces = starts
    .map((start) => text.slice(start, start + length))
    .filter((piece) => /[^\0-\x7f]/.test(piece));
  const right = pieces.filter((piece) => decodeText(encodeAs(piece, encoding)) === piece);
  return (100 * right.length) / pieces.length;
}

describe('text encoding', () => {
  it.each(
    LEAST.flatMap(([language, encodings, ...least]) =>
      encodings.map((encoding): [keyof typeof TEXTS, string, number[]] => [language, encoding, least]),
    ),
  )('is recognized by its letters: %s in %s', (language, encoding, least) => {
    const text = TEXTS[language].normalize('NFC');
    const decoded = decodeWithName(encodeAs(text, encoding));
    expect(decoded?.text).toBe(text);
    const shares = [10, 20, 60].map((length) => shareRead(text, encoding, length));
    expect(shares.map((share, index) => Math.min(share, least[index] ?? 0))).toEqual(least);
  });

  it.each(['utf-16le', 'utf-16be'])(
    '%s is recognized with a byte order mark, and without one by its spaces',
    (encoding) => {
      for (const text of [...Object.values(TEXTS), 'plain'].map((each) => `${each}\nend of it\n`)) {
        expect(decodeWithName(encodeAs(text, encoding))).toEqual({ text, encoding, certain: true });
        expect(decodeWithName(encodeAs(`\ufeff${text}`, encoding))).toEqual({
          text: `\ufeff${text}`,
          encoding,
          certain: true,
        });
      }
    },
  );

  it('stays UTF-8, however short the text is, even with a few broken characters', () => {
    for (const text of Object.values(TEXTS)) {
      for (const length of [1, 2, 5, 30])
        expect(decodeWithName(Buffer.from(text.slice(0, length)))?.encoding).toBe('utf-8');
    }
    const broken = Buffer.concat([Buffer.from(TEXTS.chinese), Buffer.of(0xe9), Buffer.from(TEXTS.chinese)]);
    expect(decodeText(broken)).toBe(`${TEXTS.chinese}\ufffd${TEXTS.chinese}`);
  });

  it.each([
    ['gb18030', ['中文', '你好，世界', '姓名,年龄\n张三,25\n李四,31\n', '价格：100元']],
    ['windows-1252', ['é', 'café', 'Übergröße', '20±3°C', '“quoted” — dash', '€ 50', 'Þórður']],
  ])('is the most common encoding for a few characters of %s', (encoding, texts) => {
    expect(texts.map((text) => decodeText(encodeAs(text, encoding)))).toEqual(texts);
  });

  it.each([
    'The owl’s wing isn’t wide.\nNobody’s sure, and we don’t ask.',
    'Every owl said “no” — twice — and then it left.',
    'She paid €20 – he paid €35 – they left.',
    'name;price\nlamp;£12.50\ndesk;£140.00\n',
    'See § 12 and §§ 13',
    'Loading … done … saving … done',
    'Page 1 · Page 2 · Page 3',
    'Nº 5, 2ª edición, 1º de mayo',
    'for Windows® and Office™, © 2011',
  ])('is windows-1252 for punctuation among ASCII letters: %s', (text) => {
    expect(decodeText(encodeAs(text, 'windows-1252'))).toBe(text);
  });

  it('is uncertain if an alphabet turns only signs into letters', () => {
    const signs = '’ “ ” – — … • © £ § ½';
    for (const sign of signs.split(' ')) {
      const read = decodeWithName(encodeAs(`the owl${sign}s ${sign} wing `.repeat(30), 'windows-1252'));
      expect(read?.certain === true && read.encoding !== 'windows-1252').toBe(false);
    }
  });

  it.each([
    ['euc-kr', '大韓民國 憲法 第一條: 대한민국은 민주공화국이다.'],
    ['gb18030', '/* 打开文件 */ fopen(name); // 失败返回空\n'],
  ])('is not Japanese for %s with ideographs and no kana', (encoding, text) => {
    expect(decodeText(encodeAs(text, encoding))).toBe(text);
  });

  it('is recognized quickly in the first part of a long file', () => {
    const text = `${'plain words\n'.repeat(10_000)}${TEXTS.chinese.repeat(1000)}`;
    const bytes = encodeAs(text, 'gb18030');
    const started = process.cpuUsage();
    expect(decodeWithName(bytes)?.text === text).toBe(true);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });

  const BOOK = TEXTS.russian;
  it.each([
    [
      'a late <meta>',
      `<html><!-- <meta charset=big5> -->${' '.repeat(20_000)}<meta charset="windows-1251"><p>Мир`,
      'windows-1251',
    ],
    [
      'an http-equiv',
      '<meta http-equiv=Content-Type content="text/html; charset=iso-8859-5"><p>Мир',
      'iso-8859-5',
    ],
    ['an XML declaration', "<?xml version='1.0' encoding='ISO-8859-2'?><a>Śruby</a>", 'iso-8859-2'],
    ['@charset', '@charset "windows-1250";a::before{content:"ž"}', 'windows-1250'],
    ['a line for Python', '#!/usr/bin/python\n# -*- coding: koi8_r -*-\nx = "Мир"', 'koi8-r'],
    ['a line for Vim', 'ж\n// vim: set fileencoding=cp866 :\n', 'ibm866'],
    ['a line for Emacs', ';; -*- mode: lisp; coding: latin-1-unix -*-\n"é"', 'windows-1252'],
    [
      'a MIME header',
      'MIME-Version: 1.0\nContent-Type: text/plain; charset=windows-1255\n\nשלום',
      'windows-1255',
    ],
    ['LaTeX', '\\documentclass{article}\n\\usepackage[cp1251]{inputenc}\nМир', 'windows-1251'],
    ['JabRef', '% Encoding: ISO8859_15\n@book{a, title={Œuvre}}', 'iso-8859-15'],
  ])('is read from the declaration in %s', (_what, text, encoding) => {
    expect(decodeWithName(encodeAs(text, encoding))).toEqual({ text, encoding, certain: true });
  });

  it.each([
    ['another encoding for UTF-8 text', Buffer.from(`<meta charset="windows-1251">${BOOK}`), 'utf-8'],
    ['UTF-8 for other text', encodeAs(`<meta charset="utf-8">${BOOK}`, 'koi8-r'), 'koi8-u'],
    ['UTF-16 in ASCII', encodeAs(`<meta charset="utf-16">${BOOK}`, 'windows-1251'), 'windows-1251'],
    [
      "an encoding that doesn't fit its bytes",
      encodeAs(`<meta charset="shift_jis">${BOOK}`, 'windows-1251'),
      'windows-1251',
    ],
    ['an encoding in an example', encodeAs(`Write <meta charset="big5">.\n${BOOK}`, 'ibm866'), 'ibm866'],
  ])('ignores a declaration of %s', (_what, bytes, encoding) => {
    expect(decodeWithName(bytes)?.encoding).toBe(encoding);
  });

  it('covers encodings outside the Encoding Standard, and a few names in much ASCII', () => {
    const johab = Buffer.from('d0658a82d0658b6990612e0a', 'hex');
    expect(decodeText(johab)).toBe('한국한글나.\n');
    const utf32 = Buffer.concat(
      [...'\ufeffδ𝔸'].map((each) => Buffer.from(Uint32Array.of(each.codePointAt(0) ?? 0).buffer)),
    );
    expect(decodeWithName(utf32)).toEqual({ text: '\ufeffδ𝔸', encoding: 'utf-32le', certain: true });
    expect(decodeText(Buffer.from('\x1b$BElKLBg3X\x1b(B'))).toBe('東北大学');
    const rows = (names: string[]) =>
      `id,name\n${'1,Smith\n'.repeat(40)}${names.map((name) => `2,${name}\n`).join('')}`;
    const czech = rows(['Dvořák', 'Příbram', 'Jiří Šťastný']);
    expect(decodeText(encodeAs(czech, 'windows-1250'))).toBe(czech);
    const japanese = '名前,年齢,住所\n鈴木花子,41,京都\n中村次郎,28,神戸\n';
    expect(decodeWithName(encodeAs(japanese, 'shift_jis'))).toEqual({
      text: japanese,
      encoding: 'shift_jis',
      certain: true,
    });
  });

  it('is certain for a long text, unless other encodings would also fit', () => {
    expect(decodeWithName(encodeAs(TEXTS.hebrew, 'windows-1255'))?.certain).toBe(true);
    expect(decodeWithName(Buffer.of(0xe9, 0xe1))?.certain).toBe(false);
    expect(
      decodeWithName(Buffer.from(Array.from({ length: 400 }, (_, at) => 0xa0 + ((at * 37) % 95))))?.certain,
    ).toBe(false);
  });
});
