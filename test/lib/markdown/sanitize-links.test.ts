import { describe, expect, it } from '@jest/globals';
import { sanitizeLinks } from '../../../lib/markdown/sanitize-links.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

/** `]\(`, `]\:`, and `&lt;` have no meaning in Markdown text. */
const INERT: [string, string][] = [
  ['[x](javascript:alert(1))', '[x]\\(javascript:alert(1))'],
  ['[x](JaVaScRiPt:alert(1))', '[x]\\(JaVaScRiPt:alert(1))'],
  ['[x](data:text/html;base64,PHNjcmlwdD4=)', '[x]\\(data:text/html;base64,PHNjcmlwdD4=)'],
  ['![x](data:image/svg+xml,<svg/onload=x>)', '![x]\\(data:image/svg+xml,&lt;svg/onload=x>)'],
  ['[x](vbscript:x) and [y](file:///etc/passwd)', '[x]\\(vbscript:x) and [y]\\(file:///etc/passwd)'],
  ['[x]( \n javascript:x)', '[x]\\( \n javascript:x)'],
  ['[x](<javascript:x y>)', '[x]\\(&lt;javascript:x y>)'],
  ['[x](&#106;avascript:x)', '[x]\\(&#106;avascript:x)'],
  ['[x](&#x6A;avascript&colon;x)', '[x]\\(&#x6A;avascript&colon;x)'],
  ['[x](java&Tab;script&NewLine;:x)', '[x]\\(java&Tab;script&NewLine;:x)'],
  ['[x](java&#9;script&#58;x)', '[x]\\(java&#9;script&#58;x)'],
  ['[x](javascript\\:x)', '[x]\\(javascript\\:x)'],
  ['[x](\u0001javascript:x)', '[x]\\(\u0001javascript:x)'],
  ['[x](java\u00adscript:x)', '[x]\\(java\u00adscript:x)'],
  [`[x](${'&Tab;'.repeat(5000)}javascript:x)`, `[x]\\(${'&Tab;'.repeat(5000)}javascript:x)`],
  ['[a [b](javascript:x) c](https://example.com)', '[a [b]\\(javascript:x) c](https://example.com)'],
  ['[![p](https://example.com/p)](javascript:x)', '[![p](https://example.com/p)]\\(javascript:x)'],
  ['[`code`](javascript:x)', '[`code`]\\(javascript:x)'],
  ['[x][1]\n\n[1]: javascript:x', '[x][1]\n\n[1]\\: javascript:x'],
  ['[x]\n\n> [x]:\n>  data:text/html,x', '[x]\n\n> [x]\\:\n>  data:text/html,x'],
  ['<javascript:alert(1)>', '&lt;javascript:alert(1)>'],
  ['<a href="javascript:x">y</a>', '&lt;a href="javascript:x">y&lt;/a>'],
  ['<img src=x onerror=y>', '&lt;img src=x onerror=y>'],
  ['<script>x</script>', '&lt;script>x&lt;/script>'],
];

const HARMLESS = [
  '[x](https://example.com/a:b) and <https://example.com> and [m](mailto:a@example.com)',
  '[x](papers/owls.md) and [y](#night) and [z](//example.com) and [q](/a?b=javascript:x)',
  'a < b, 2<3, a<br>b, H<sub>2</sub>O',
  '[^1]: Note: javascript: is a scheme\n\nand [1]: is not',
  'javascript: and data: are schemes',
  '`[x](javascript:x)` is code, and\n\n```md\n[x](javascript:x)\n<a href="javascript:x">\n```\n\nis too',
  '[1](papers/a.md:12)',
];

describe("links in a model's text", () => {
  it.each(INERT)('are removed from %j', (text, inert) => {
    expect(sanitizeLinks(text)).toBe(inert);
  });

  it.each(HARMLESS)('are kept in %j', (text) => {
    expect(sanitizeLinks(text)).toBe(text);
  });

  it('are found in time proportional to the text', async () => {
    const sanitize = () => {
      for (const piece of ['](', ']:', '<', '[^x]:', '](&#9', '](a', '](<'])
        sanitizeLinks(piece.repeat(60_000));
    };
    expect(await cpuTimeOf(sanitize)).toBeLessThan(5000);
  });
});
