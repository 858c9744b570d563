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
  russian:
    'Москва является столицей России и крупнейшим городом страны. В городе живут более двенадцати миллионов человек. Зимой здесь холодно, а летом бывает жарко. В этой статье мы описываем новый метод измерения температуры.',
};

/** How many of a hundred pieces of 10, 20 and 60 characters are read right, at least; whole texts all are. */
const LEAST: [keyof typeof TEXTS, string, number, number, number][] = [
  ['chinese', 'gb18030', 90, 98, 100],
  ['traditional', 'big5', 90, 98, 100],
  ['japanese', 'shift_jis', 75, 95, 100],
  ['japanese', 'euc-jp', 85, 98, 100],
  ['korean', 'euc-kr', 85, 98, 100],
  ['french', 'windows-1252', 85, 90, 95],
  ['german', 'windows-1252', 90, 95, 100],
  ['russian', 'windows-1251', 20, 70, 95],
  ['russian', 'koi8-r', 20, 60, 90],
];

function shareRead(text: string, encoding: string, length: number): number {
  const starts = Array.from({ length: 25 }, (_, index) => Math.floor((index * (text.length - length)) / 25));
  const pieces = starts
    .map((start) => text.slice(start, start + length))
    .filter((piece) => /[^\0-\x7f]/.test(piece));
  const right = pieces.filter((piece) => decodeText(encodeAs(piece, encoding)) === piece);
  return (100 * right.length) / pieces.length;
}

describe('what a text is written in', () => {
  it.each(LEAST)('%s in %s is recognized by its bytes', (language, encoding, at10, at20, at60) => {
    const text = TEXTS[language];
    expect(decodeWithName(encodeAs(text, encoding))).toEqual({ text, encoding });
    const shares = [10, 20, 60].map((length) => shareRead(text, encoding, length));
    const least = [at10, at20, at60];
    expect(shares.map((share, index) => Math.min(share, least[index] ?? 0))).toEqual(least);
  });

  it.each(['utf-16le', 'utf-16be'])(
    '%s is recognized with a mark, and without one by its blanks',
    (encoding) => {
      for (const text of [...Object.values(TEXTS), 'plain'].map((each) => `${each}\nend of it\n`)) {
        expect(decodeWithName(encodeAs(text, encoding))).toEqual({ text, encoding });
        expect(decodeWithName(encodeAs(`\ufeff${text}`, encoding))).toEqual({
          text: `\ufeff${text}`,
          encoding,
        });
      }
    },
  );

  it('UTF-8 stays UTF-8, however short, and with a few broken characters', () => {
    for (const text of Object.values(TEXTS)) {
      for (const length of [1, 2, 5, 30])
        expect(decodeWithName(Buffer.from(text.slice(0, length)))?.encoding).toBe('utf-8');
    }
    const broken = Buffer.concat([Buffer.from(TEXTS.chinese), Buffer.of(0xe9), Buffer.from(TEXTS.chinese)]);
    expect(decodeText(broken)).toBe(`${TEXTS.chinese}\ufffd${TEXTS.chinese}`);
  });

  it.each([
    ['gb18030', ['中文', '你好，世界', '姓名,年龄\n张三,25\n李四,31\n', '价格：100元']],
    ['windows-1252', ['é', 'café', 'Übergröße', 'ÄÖÜ', '20±3°C', '“quoted” — dash', '€ 50', 'Þórður']],
  ])('a few characters of %s are what is written most', (encoding, texts) => {
    expect(texts.map((text) => decodeText(encodeAs(text, encoding)))).toEqual(texts);
  });

  it('a long file is recognized by its first piece, in little time', () => {
    const text = `${'plain words\n'.repeat(10_000)}${TEXTS.chinese.repeat(1000)}`;
    const bytes = encodeAs(text, 'gb18030');
    const started = process.cpuUsage();
    expect(decodeWithName(bytes)?.text === text).toBe(true);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });
});
