import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  boundTokens,
  cutMiddleToTokens,
  cutToTokens,
  leastTokens,
  mostTokens,
} from '../../../lib/text/count-tokens.ts';

const project = resolve(import.meta.dirname, '../../..');
const readme = readFileSync(join(project, 'node_modules/ws/README.md'), 'utf8').slice(0, 1500);

/**
 * Texts with their token counts by real tokenizers, measured once: the minimum and the maximum of SmolLM2,
 * Llama 2, Llama 3, Qwen 3, Gemma 3, DeepSeek V3, gpt-oss, and cl100k.
 */
const MEASURED: [name: string, text: string, fewest: number, most: number][] = [
  ['a README', readme, 376, 500],
  [
    'Chinese',
    '水是生命之源，地球表面约有百分之七十一被水覆盖。中国古代哲学家认为，金木水火土五行相生相克，构成万物的基本元素。研究人员在青藏高原观测到冰川加速消融，年均退缩速率达到每年十五米，对下游水资源供给产生深远影响。饕餮、貔貅、麒麟、魑魅魍魉等神兽在古籍中屡见不鲜。'.repeat(
      6,
    ),
    552,
    1536,
  ],
  [
    'Japanese',
    '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。コンピュータのメモリ管理とガベージコレクションについて説明します。'.repeat(
      8,
    ),
    456,
    1448,
  ],
  [
    'Korean',
    '대한민국의 수도는 서울이며, 인구는 약 천만 명이다. 이 문서는 데이터베이스의 백업과 복원 절차를 설명한다. 훈민정음은 세종대왕이 창제하였다. 뷁쉛쾗.'.repeat(
      8,
    ),
    464,
    1368,
  ],
  [
    'Thai',
    'ประเทศไทยมีภูมิอากาศแบบร้อนชื้น เอกสารนี้อธิบายขั้นตอนการติดตั้งโปรแกรมและการตั้งค่าระบบเครือข่าย ผู้ใช้ควรตรวจสอบเวอร์ชันก่อนเริ่มใช้งาน'.repeat(
      8,
    ),
    280,
    2000,
  ],
  [
    'Arabic',
    'اللغة العربية من أكثر اللغات انتشارا في العالم. يشرح هذا المستند خطوات تثبيت البرنامج وإعداد الشبكة. يجب على المستخدم التحقق من الإصدار قبل البدء. مُحَمَّدٌ يَقْرَأُ الكِتَابَ.'.repeat(
      8,
    ),
    448,
    1320,
  ],
  [
    'Hindi',
    'हिन्दी भारत की राजभाषा है। यह दस्तावेज़ प्रोग्राम स्थापित करने और नेटवर्क सेटिंग्स के चरणों को समझाता है। उपयोगकर्ता को संस्करण की जाँच करनी चाहिए।'.repeat(
      8,
    ),
    264,
    1304,
  ],
  ['Amharic', 'አማርኛ የኢትዮጵያ የሥራ ቋንቋ ነው። ይህ ሰነድ የፕሮግራሙን አጫጫን ያብራራል።'.repeat(10), 360, 1230],
  [
    'Vietnamese',
    'Tiếng Việt là ngôn ngữ của người Việt. Tài liệu này mô tả cách cài đặt phần mềm và cấu hình mạng. Người dùng nên kiểm tra phiên bản trước khi bắt đầu.'.repeat(
      8,
    ),
    290,
    976,
  ],
  [
    'Polish',
    'Zażółć gęślą jaźń. Dokument opisuje instalację oprogramowania oraz konfigurację sieci. Użytkownik powinien sprawdzić wersję przed rozpoczęciem pracy.'.repeat(
      8,
    ),
    329,
    616,
  ],
  ['emoji', '😀🚀👨‍👩‍👧‍👦🇩🇪👍🏽🧑‍💻❤️🔥✅'.repeat(15), 285, 795],
  ['numbers', '12345.678,0.0042,2024-03-17\n'.repeat(40), 640, 1120],
  ['base64', 'q83vEjRWeJq83vASNFZ4mrze8BI0Vniavd7wEjRWeJq83vASNFZ4'.repeat(10), 300, 470],
];

describe('mostTokens and leastTokens', () => {
  it.each(MEASURED)('bracket the token counts of tokenizers for %s', (_name, text, fewest, most) => {
    expect(mostTokens(text)).toBeGreaterThanOrEqual(most);
    expect(mostTokens(text)).toBeLessThan(1.6 * most);
    expect(leastTokens(text)).toBeLessThanOrEqual(fewest);
  });

  it('read long words and long lines in linear time', () => {
    const long = 'ab'.repeat(500_000);
    expect(mostTokens(`${long}9A${long}`)).toBeGreaterThan(100_000);
  });
});

describe('cutToTokens', () => {
  it.each(MEASURED)('truncates %s to fit, but not to an empty text', (_name, text) => {
    const cut = cutToTokens(text, 100);
    expect(text.startsWith(cut)).toBe(true);
    expect(mostTokens(cut)).toBeLessThanOrEqual(100);
    expect(mostTokens(cut)).toBeGreaterThan(70);
  });

  it('keeps a text that fits unchanged, and all texts without a limit', () => {
    expect(cutToTokens(readme, 10_000)).toBe(readme);
    expect(cutToTokens(readme, Number.POSITIVE_INFINITY)).toBe(readme);
  });
});

describe('cutMiddleToTokens', () => {
  it.each(MEASURED)('keeps the start and the end of %s', (_name, text) => {
    const cut = cutMiddleToTokens(text, 120);
    expect(mostTokens(cut)).toBeLessThanOrEqual(120);
    expect(cut).toMatch(/characters cut/);
    expect(cut.at(-1)).toBe(text.at(-1));
  });
});

describe('boundTokens', () => {
  it.each(MEASURED)('is at least the maximum token count of %s', (_name, text) => {
    expect(boundTokens(text)).toBeGreaterThanOrEqual(mostTokens(text));
  });

  it('is at least the maximum token count of any repeated character', () => {
    const codes = Array.from({ length: 0x2ffff }, (_, at) => at + 1);
    const wrong = codes.filter((code) => {
      const character = String.fromCodePoint(code);
      return [1, 2, 40].some((times) => {
        const text = character.repeat(times);
        return boundTokens(text) < mostTokens(text);
      });
    });
    expect(wrong).toEqual([]);
  });

  it('is at least the maximum token count of any mixture', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        (text) => boundTokens(text) >= mostTokens(text),
      ),
      { numRuns: 2000 },
    );
  });
});
