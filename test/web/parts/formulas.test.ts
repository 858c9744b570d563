import { describe, expect, it } from '@jest/globals';
import type { Token } from 'marked';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { FormulaToken } from '../../../web/parts/markdown/find-formula.ts';
import { inAlphabet } from '../../../web/parts/markdown/math-alphabets.ts';
import { readBlocks } from '../../../web/parts/markdown/read-blocks.ts';
import { readFormula } from '../../../web/parts/markdown/read-formula.ts';

function formulas(text: string): string[] {
  const found: string[] = [];
  const walk = (tokens: Token[]) => {
    for (const token of tokens) {
      if (token.type === 'formula') found.push((token as FormulaToken).tex.trim());
      walk(('tokens' in token && token.tokens) || (token.type === 'list' ? token.items : []));
    }
  };
  walk(readBlocks(text) ?? []);
  return found;
}

const markup = (tex: string) => renderToStaticMarkup(createElement('p', null, readFormula(tex, false)));

describe('formulas in Markdown', () => {
  it.each([
    ['so $E = mc^2$.', ['E = mc^2']],
    ['$1120 / 41 \\approx 27$ and $t_{1/2}$', ['1120 / 41 \\approx 27', 't_{1/2}']],
    ['half is $$x$$ here', ['x']],
    ['by \\(a_i * b_i * c\\) it is', ['a_i * b_i * c']],
    ['$$\na &= b \\\\\n- c\n$$', ['a &= b \\\\\n- c']],
    ['Then\n\\[\n\\frac{a}{b}\n\\]\nfollows', ['\\frac{a}{b}']],
    ['- in $x$\n- an item', ['x']],
    ['$\\text{US\\$}$', ['\\text{US\\$}']],
  ])('are found: %j', (text, expected) => {
    expect(formulas(text)).toEqual(expected);
  });

  it.each([
    'from $5 and $10',
    '$20,000 or US$30,000',
    'only $ x $ here',
    '`$x$` is code',
    '\\$x\\$',
    'as \\[Note\\] says',
    '\\[1\\] Smith',
    '$$ and nothing else\n\nand $$',
  ])('exclude: %j', (text) => {
    expect(formulas(text)).toEqual([]);
  });

  it('take linear time in a text with many dollar signs', () => {
    const start = process.cpuUsage();
    readBlocks('$ '.repeat(100_000));
    readBlocks('$a\n\n'.repeat(50_000));
    readBlocks('\\[a\n'.repeat(50_000));
    expect(process.cpuUsage(start).user).toBeLessThan(3_000_000);
  });
});

describe('readFormula', () => {
  it('returns MathML elements with mathematical letters, without a style or a color', () => {
    expect(markup('\\mathbb{R} \\color{white}{x}')).toContain('<mi mathvariant="normal">ℝ</mi>');
    expect(markup('\\colorbox{red}{\\fcolorbox{red}{blue}{x}}\\rule{1em}{1em}')).not.toMatch(
      /<[^>]* (style|mathcolor|mathbackground|class)=/,
    );
  });

  it.each(['\\frac{a', '\\nothing{x}', '\\href{https://away.example}{x}x\\href'])(
    'shows %j as its source',
    (tex) => {
      expect(readFormula(tex, false)).toBeUndefined();
    },
  );

  it('is not blocked by a malicious formula', () => {
    const start = process.cpuUsage();
    expect(readFormula('\\def\\a{\\a\\a}\\a', false)).toBeUndefined();
    expect(readFormula('{'.repeat(2_000) + '}'.repeat(2_000), false)).toBeUndefined();
    expect(readFormula('\\frac{1}{'.repeat(150) + '}'.repeat(150), false)).toBeUndefined();
    expect(readFormula('x+'.repeat(2_400), false)).toBeUndefined();
    expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
  });
});

it('formulas use mathematical alphabets for letters', () => {
  expect(inAlphabet('CaR1', 'double-struck')).toBe('ℂ𝕒ℝ𝟙');
  expect(inAlphabet('Lg?', 'script')).toBe('ℒℊ?');
  expect(inAlphabet('x', undefined)).toBe('x');
});
