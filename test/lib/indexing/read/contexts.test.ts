import { describe, expect, it } from '@jest/globals';
import type { KnownFormat } from '../../../../lib/formats/all-formats.ts';
import { code } from '../../../../lib/formats/code.ts';
import { extract } from '../../../../lib/formats/extract.ts';
import { html } from '../../../../lib/formats/html.ts';
import { latex } from '../../../../lib/formats/latex.ts';
import { markdown } from '../../../../lib/formats/markdown.ts';
import { org } from '../../../../lib/formats/org.ts';
import { restructuredText } from '../../../../lib/formats/restructured-text.ts';
import { rows } from '../../../../lib/formats/rows.ts';
import { text as plainText } from '../../../../lib/formats/text.ts';
import { chunkText } from '../../../../lib/indexing/read/chunk.ts';

const long = 'A sentence that goes on and on. '.repeat(80);

async function contextsOf(format: KnownFormat, text: string) {
  const chunks = chunkText(await extract(format, Buffer.from(text)));
  return chunks.map(({ text: own, context }) => [own.split('\n')[0], context]);
}

describe('context of a passage', () => {
  it('is the title and the headings above it', async () => {
    const text = `# Bridges\n\n${long}\n\n## Firth {#firth}\n\n${long}\n\n### Paint\n\n${long}\n\n## Tay\n\n${long}`;
    const contexts = new Map((await contextsOf(markdown, text)) as [string, string][]);
    expect([...contexts].filter(([own]) => own.startsWith('#'))).toEqual([
      ['# Bridges', ''],
      ['## Firth {#firth}', 'Bridges'],
      ['### Paint', 'Bridges › Firth'],
      ['## Tay', 'Bridges'],
    ]);
    expect((await contextsOf(markdown, text)).map(([, context]) => context)).toContain(
      'Bridges › Firth › Paint',
    );
  });

  it('excludes the page headings around its text', async () => {
    const page = (landmark: string) =>
      `<h2>Skip to content</h2>\n<p>${long}</p>\n<h1>Bridges</h1>\n<p>${long}</p>\n<h2>Navigation</h2>\n<p>${long}</p>\n${landmark}\n<h2>Firth</h2>\n<p>${long}</p>`;
    const contexts = await contextsOf(html, page('<h2>Contents:</h2><p>Firth</p>'));
    expect(contexts.map(([, context]) => context).filter(Boolean)).toEqual(
      expect.arrayContaining(['Bridges', 'Bridges › Firth']),
    );
    expect(contexts.join()).not.toMatch(/Bridges › (?:Navigation|Contents)|Skip to content ›/);
    const roles = ['navigation', 'banner', 'contentinfo', 'complementary', 'search'];
    for (const role of roles) {
      const read = await contextsOf(
        html,
        page(`<div role="${role}"><div><h2>About us</h2></div><p>Links</p></div>`),
      );
      expect(read.join()).not.toMatch(/About us|Links/);
      expect(read.map(([, context]) => context)).toContain('Bridges › Firth');
    }
  });

  it('includes headings that only start like the excluded ones', async () => {
    const text = `<h1>Contents of the archive</h1>\n<p>${long}</p>\n<h2>Navigation by stars</h2>\n<p>${long}</p>`;
    expect((await contextsOf(html, text)).map(([, context]) => context)).toContain(
      'Contents of the archive › Navigation by stars',
    );
  });

  it('includes underlined titles, and no code comments as headings', async () => {
    const text = `Bridges\n=======\n\n${long}\n\nPaint\n-----\n\n${long}\n\`\`\`sh\n# rm\n\`\`\`\n\n${long}`;
    const contexts = (await contextsOf(markdown, text)).map(([, context]) => context);
    expect(contexts.at(-1)).toBe('Bridges › Paint');
    expect(contexts.join()).not.toContain('rm');
  });

  it('is the starred headings of an Org file, and no comment in its code', async () => {
    const code = '#+BEGIN_SRC sh\n# rm\nls\n#+END_SRC';
    const text = `* Bridges\n\n${long}\n\n** Firth\n:PROPERTIES:\n:ID: 1\n:END:\n${code}\n\n${long}\n\n- ${long}\n\n* Tay\n\n${long}`;
    const contexts = await contextsOf(org, text);
    expect(contexts.map(([, context]) => context)).toContain('Bridges › Firth');
    expect(contexts.filter(([own]) => own?.startsWith('*'))).toEqual([
      ['* Bridges', ''],
      ['** Firth', 'Bridges'],
      ['* Tay', 'Bridges'],
    ]);
    expect(contexts.join()).not.toContain('› rm');
  });

  it('is the titles of reStructuredText, with any underline character', async () => {
    const title = (text: string, mark: string) => `${text}\n${mark.repeat(text.length)}\n\n`;
    const code = '.. code-block:: sh\n\n   # rm\n   ~~~~\n';
    const text = `=======\nBridges\n=======\n\n${long}\n\n${title('Firth', '~')}${long}\n\n${code}\n${long}\n\n${title('Red', '^')}${long}\n\n${title('Tay', '~')}${long}\n\n${title('Old', '"')}${long}`;
    const contexts = await contextsOf(restructuredText, text);
    expect(contexts.filter(([own]) => /^(Firth|Red|Tay|Old)$/.test(own ?? ''))).toEqual([
      ['Firth', 'Bridges'],
      ['Red', 'Bridges › Firth'],
      ['Tay', 'Bridges'],
      ['Old', 'Bridges › Tay'],
    ]);
    expect(contexts.map(([, context]) => context)).toContain('Bridges › Firth › Red');
    expect(contexts.join()).not.toContain('› #');
  });

  it('is the sections of a LaTeX file, by their titles', async () => {
    const text = `\\title{On bridges}\n\\begin{abstract}\n${long}\n\\end{abstract}\n\n\\section*{The \\emph{Firth}~Bridge}\\label{f}\n\n${long}\n\n\\subsection[Paint]{Red {\\bf paint}}\n\n${long}\n\n\\section{Tay}\n\n${long}`;
    const contexts = await contextsOf(latex, text);
    expect(contexts.map(([, context]) => context)).toEqual(
      expect.arrayContaining(['On bridges', 'On bridges › The Firth Bridge › Red paint']),
    );
    expect(contexts.filter(([own]) => own?.startsWith('\\section{'))).toEqual([
      ['\\section{Tay}', 'On bridges'],
    ]);
  });

  it('is the definition that a passage of code continues', async () => {
    const body = '  call(this, that);\n'.repeat(150);
    const contexts = await contextsOf(
      code,
      `export function first() {\n${body}}\n\nfunction second() {\n${body}}\n`,
    );
    expect(contexts.map(([, context]) => context)).toEqual([
      '',
      'export function first() {',
      '',
      'function second() {',
    ]);
  });

  it('is the header row of a table', async () => {
    const table = `name,length_m\n${'Firth bridge,2467\n'.repeat(200)}`;
    expect(new Set((await contextsOf(rows, table)).slice(1).map(([, context]) => context))).toEqual(
      new Set(['name,length_m']),
    );
    expect((await contextsOf(rows, '2026-01-01,3\n'.repeat(300))).at(-1)?.[1]).toBe('');
    expect((await contextsOf(rows, '{"a":1,"b":2}\n'.repeat(300))).at(-1)?.[1]).toBe('');
  });

  it('is the title and the last heading of HTML, and nothing in plain text', async () => {
    const page = `<title>T</title><h1>Bridges</h1><p>${long}</p><h2>Paint</h2><p>${long}</p>`;
    expect((await contextsOf(html, page)).at(-1)?.[1]).toBe('Bridges › Paint');
    expect((await contextsOf(plainText, `# Bridges\n\n${long}${long}`)).at(-1)?.[1]).toBe('');
  });

  it('is limited in length', async () => {
    const headings = Array.from({ length: 6 }, (_, at) => `${'#'.repeat(at + 1)} ${'😀'.repeat(300)}\n`);
    const context = (await contextsOf(markdown, `${headings.join('')}\n${long}`)).at(-1)?.[1] ?? '';
    expect(context.length).toBeLessThanOrEqual(400);
    expect(context.isWellFormed()).toBe(true);
  });
});
