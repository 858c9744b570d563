import { describe, expect, it } from '@jest/globals';
import type { Token, Tokens } from 'marked';
import { readBlocks } from '../../../web/parts/markdown/read-blocks.ts';

/** Returns the text with `<b>`, `<i>`, and `<s>` for its emphasis. */
function show(text: string): string {
  return showAll(readBlocks(text) ?? []);
}

const ELEMENTS: Record<string, string> = { strong: 'b', em: 'i', del: 's', codespan: 'code', link: 'a' };

function showAll(tokens: Token[]): string {
  return (tokens as Tokens.Generic[]).map(showOne).join('');
}

function showOne({ type, tokens, items, text = '', raw, href = '' }: Tokens.Generic): string {
  const name = ELEMENTS[type];
  const inner = tokens ?? items;
  const own = type === 'escape' || type === 'codespan' ? text : raw;
  const shown = inner ? showAll(inner) : own;
  return name === undefined ? shown : `<${name}${href && ` ${href}`}>${shown}</${name}>`;
}

describe('emphasis next to punctuation', () => {
  it.each([
    ['**“引号”**测试', '<b>“引号”</b>测试'],
    ['**价格：**100元', '<b>价格：</b>100元'],
    ['**《论文》**和**（注）**', '<b>《论文》</b>和<b>（注）</b>'],
    ['测试**“重点”**100', '测试<b>“重点”</b>100'],
    ['约100**（元）**，**占比：**5%', '约100<b>（元）</b>，<b>占比：</b>5%'],
    ['*“引号”*测试，~~（旧）~~新', '<i>“引号”</i>测试，<s>（旧）</s>新'],
    ['***《书》***很好', '<i><b>《书》</b></i>很好'],
    ['**增长100%**的原因', '<b>增长100%</b>的原因'],
    ['**结论[1]**5项，测**[2]论**', '<b>结论[1]</b>5项，测<b>[2]论</b>'],
    ['**`代码`**测试，用**`npm`**安装', '<b><code>代码</code></b>测试，用<b><code>npm</code></b>安装'],
    ['**[链接](https://a.cn/x)**测试', '<b><a https://a.cn/x>链接</a></b>测试'],
    ['**「東京」**は**（日本）**の', '<b>「東京」</b>は<b>（日本）</b>の'],
    ['**コーヒー、**紅茶', '<b>コーヒー、</b>紅茶'],
    ['**"인용"**은 **(주)**의', '<b>"인용"</b>은 <b>(주)</b>의'],
    ['و**«النص»** مهم، **هام؟**نعم', 'و<b>«النص»</b> مهم، <b>هام؟</b>نعم'],
    ['ב**"ספר"** ו**(הערה)**', 'ב<b>"ספר"</b> ו<b>(הערה)</b>'],
    ['ราคา**“ดี”**มาก', 'ราคา<b>“ดี”</b>มาก'],
    ['**“किताब”**में', '<b>“किताब”</b>में'],
    ['𠀀**（字）**𠀀', '𠀀<b>（字）</b>𠀀'],
    ['- **“甲”**乙\n- **（丙）**丁', '<b>“甲”</b>乙<b>（丙）</b>丁'],
  ])('is recognized in a script without case: %s', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it.each([
    ['[a](https://a.cn/”**测”**x)', '<a https://a.cn/”**测”**x>a</a>'],
    ['**"foo"**bar', '**"foo"**bar'],
    ['a*"foo"*b', 'a*"foo"*b'],
    ['*(**foo**)*', '<i>(<b>foo</b>)</i>'],
    ['2 * 3 * 4, 价格 * 数量 * 3', '2 * 3 * 4, 价格 * 数量 * 3'],
    ['测试\\*\\*“不是”**', '测试**“不是”**'],
    ['`测**“码”**测`', '<code>测**“码”**测</code>'],
    ['**是**“字”**是**', '<b>是</b>“字”<b>是</b>'],
    ['snake_“case”_测', 'snake_“case”_测'],
  ])('follows CommonMark: %s', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it('adds no marker character to the result, and keeps the raw text', () => {
    const text = '**“引号”**测试，**`码`**测 [字](https://x.cn "”**题”**") <i>”**字';
    expect(JSON.stringify(readBlocks(text))).not.toContain('\ufdd0');
    expect(
      (readBlocks(text)?.[0] as Tokens.Paragraph | undefined)?.tokens.map(({ raw }) => raw).join(''),
    ).toBe(text);
  });
});
