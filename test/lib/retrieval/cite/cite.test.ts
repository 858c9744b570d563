import { rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Citation } from '../../../../lib/api-contract/citation.ts';
import { readConfig } from '../../../../lib/config.ts';
import { extractKey, partsKey } from '../../../../lib/formats/extract-key.ts';
import { sha256 } from '../../../../lib/paths/hash.ts';
import type { Objects } from '../../../../lib/ports/objects.ts';
import type { Records } from '../../../../lib/ports/records.ts';
import type { Passage } from '../../../../lib/ports/vectors.ts';
import { citeAll } from '../../../../lib/retrieval/cite/cite.ts';
import { openObjects } from '../../../../lib/wiring/objects.ts';
import { openRecords } from '../../../../lib/wiring/records.ts';
import type { Workspace } from '../../../../lib/workspaces/schema.ts';
import { longestSlice, MOST_SLICE_MS } from '../../../support/processes/longest-slice.ts';
import { threadTime } from '../../../support/processes/thread-time.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

let workspace: Workspace;
let objects: Objects;
let records: Records;

beforeEach(async () => {
  workspace = { id: 'w', name: 'w', rootPath: await tempFolder(), createdAt: '' };
  const config = readConfig({ DATA_DIR: await tempFolder() });
  objects = await openObjects(config);
  records = await openRecords(config);
});

/** Stores the text of a document with its parts, as indexing does. */
async function keepText(hash: string, text: string, parts: object = {}): Promise<void> {
  await objects.put(partsKey('w', hash), Buffer.from(JSON.stringify(parts)));
  await objects.put(extractKey('w', hash), Buffer.from(text));
}

/** Writes a file, and returns the passage that indexing would make of a part of it, or of all of it. */
async function passageOf(path: string, text: string | Buffer, part?: string, source = String(text)) {
  const bytes = Buffer.from(text as string);
  await writeFile(join(workspace.rootPath, path), bytes);
  const startChar = part === undefined ? 0 : source.indexOf(part);
  const endChar = part === undefined ? source.length : startChar + part.length;
  const place = {
    startLine: 1,
    endLine: source.split('\n').length,
    startChar,
    endChar,
    part: {},
    context: '',
  };
  return { path, chunk: 0, fileHash: await sha256(bytes), text: source.slice(startChar, endChar), ...place };
}

async function citationOf(passage: Passage, claim: string, beside: Passage[] = []): Promise<Citation> {
  const [citation] = await citeAll({ objects, records }, workspace, [{ index: 1, passage, claim, beside }]);
  if (citation === undefined) throw new Error('no citation');
  return citation;
}

describe('cite for a long table', () => {
  const ROWS = Array.from({ length: 60 }, (_, at) => `| Bay ${at} | ${1000 + at} | ${2000 + at} |`);
  const FAR = `The cranes of the bays:\n\n| Site | Cranes 2021 | Cranes 2022 |\n|---|---|---|\n${ROWS.join('\n')}\n`;

  it.each([
    ['In 2022 there were 2055 cranes in Bay 55', 'unjudged'],
    ['In 2021 there were 1055 cranes in Bay 55', 'unjudged'],
    ['In 2021 there were 2055 cranes in Bay 55', 'partial'],
    ['In 2023 there were 2055 cranes in Bay 55', 'partial'],
  ])('compares a row with the header far above it, and returns for %s: %s', async (claim, support) => {
    const passage = await passageOf('a.md', FAR, ROWS.slice(50).join('\n'));
    expect(await citationOf(passage, claim)).toMatchObject({ quote: ROWS[55], support });
  });

  it("doesn't take a first row of values, or a line of another paragraph, for a header", async () => {
    const claim = 'In 2022 there were 2055 cranes in Bay 55';
    for (const above of ['| Bay | 2022 | 7 |', '| Site | 2021 | 2022 |\n']) {
      const passage = await passageOf('a.md', `${above}\n${ROWS.join('\n')}\n`, ROWS.slice(50).join('\n'));
      expect((await citationOf(passage, claim)).reason).toContain('2022');
    }
  });

  it('reads a table of 100,000 rows once per quote', async () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => `| Bay ${at} | ${at} |`);
    const text = `| Site | Cranes |\n${rows.join('\n')}\n`;
    const passage = await passageOf('a.md', text, rows.slice(-20).join('\n'));
    const started = threadTime(process.pid);
    await citationOf(passage, 'Bay 99990 has 99990 cranes');
    expect(threadTime(process.pid) - started).toBeLessThan(2000);
  });
});

describe('cite', () => {
  it('quotes only text inside the passage', async () => {
    const text = 'Bears swim far.\n\nApes climb high.\n\nBears swim.\n';
    const passage = await passageOf('a.md', text, 'Apes climb high.\n\nBears swim.');
    expect(await citationOf(passage, 'Bears swim far')).toMatchObject({
      quote: 'Bears swim.',
      startLine: 5,
      endLine: 5,
      verified: true,
      stale: false,
    });
  });

  it.each([
    ['a byte order mark', 'a.txt', Buffer.from('\uFEFFApes climb.\n')],
    ['UTF-16', 'a.txt', Buffer.from('\uFEFFApes climb.\n', 'utf16le')],
    ['Windows line ends', 'a.txt', Buffer.from('One.\r\nApes climb.\r\nTwo.')],
  ])('quotes from a file with %s', async (_, path, bytes) => {
    const source = bytes.toString(bytes[0] === 0xff ? 'utf16le' : 'utf8');
    const passage = await passageOf(path, bytes, undefined, source);
    const citation = await citationOf(passage, 'apes climb');
    expect(citation).toMatchObject({ quote: 'Apes climb.', verified: true });
    expect(source).toContain(citation.quote);
  });

  it('never quotes HTML tags or entities', async () => {
    const html =
      '<p>Apes &amp; bears <i>climb</i> together in the high woods.</p><script>apes bears climb</script>';
    const citation = await citationOf(await passageOf('a.html', html), 'Apes and bears climb in high woods');
    expect(citation.quote).toBe('together in the high woods.');
    expect(html).toContain(citation.quote);
  });

  it('quotes a PDF from its extracted text as long as the file is unchanged', async () => {
    const text = 'Page one.\n\f\nApes climb high.';
    const passage = {
      ...(await passageOf('a.pdf', '%PDF')),
      text,
      startChar: 0,
      endChar: text.length,
      part: { page: 2 },
      context: '',
    };
    await keepText(passage.fileHash, text);
    expect(await citationOf(passage, 'apes climb')).toMatchObject({
      quote: 'Apes climb high.',
      startLine: 3,
      page: 2,
      verified: true,
    });
    await writeFile(join(workspace.rootPath, 'a.pdf'), '%PDF 2');
    expect(await citationOf(passage, 'apes climb')).toMatchObject({
      quote: '',
      verified: false,
      stale: true,
    });
  });

  it('does not quote part of a longer number from a changed file', async () => {
    const passage = await passageOf('a.md', '12 owls live here.');
    await writeFile(join(workspace.rootPath, 'a.md'), '112 owls live here.');
    expect(await citationOf(passage, 'Here live 12 owls')).toMatchObject({ quote: '', verified: false });
  });

  it('reports a PDF without extracted text as unverified but not stale, and quotes it once it has text', async () => {
    const text = 'Apes climb high.';
    const passage = {
      ...(await passageOf('a.pdf', '%PDF')),
      text,
      endChar: text.length,
      part: { page: 1 },
      context: '',
    };
    const file = join(workspace.rootPath, 'a.pdf');
    await utimes(file, 1, 1);
    expect(await citationOf(passage, 'apes climb')).toMatchObject({
      quote: '',
      fileHash: passage.fileHash,
      verified: false,
      stale: false,
    });
    await keepText(passage.fileHash, text);
    expect(await citationOf(passage, 'apes climb')).toMatchObject({ quote: text, verified: true });
  });

  it('names the current page of the quote, or only the quoted rows of a sheet', async () => {
    const old = { ...(await passageOf('a.pdf', '%PDF 1', undefined, 'Apes climb high.')), part: { page: 1 } };
    await writeFile(join(workspace.rootPath, 'a.pdf'), '%PDF 2');
    const now = 'A new page.\n\nApes climb high.';
    await keepText(await sha256(Buffer.from('%PDF 2')), now, { partStarts: [0, now.indexOf('Apes')] });
    expect(await citationOf(old, 'apes climb')).toMatchObject({ page: 2, verified: true, stale: true });

    const text = 'Counts\nbear | 4\nape | 12';
    const rows = { name: 'Counts', rowStarts: [0, 7, 16], rowNumbers: [1, 2, 40], columns: [1, 27] };
    const part = { sheet: 'Counts', rows: [1, 40] };
    const passage = { ...(await passageOf('a.xlsx', 'PK', undefined, text)), part };
    await keepText(passage.fileHash, text, { partStarts: [0], sheets: [rows] });
    const cells = 'A40:AA40';
    const found = { quote: 'ape | 12', rows: [40, 40], cells, of: 40 };
    expect(await citationOf(passage, 'ape 12')).toMatchObject(found);
  });

  it('finds the nearest location of a text that moved', async () => {
    const old = 'Apes climb.\nBears swim.\nCats sleep.\nDogs bark.\n';
    const passage = await passageOf('a.txt', old, 'Dogs bark.');
    const now = `Dogs bark.\n${'Filler line.\n'.repeat(20)}${old}`.replace('Apes', 'Dogs bark. Apes');
    await writeFile(join(workspace.rootPath, 'a.txt'), now);
    const citation = await citationOf(passage, 'dogs bark');
    expect(citation).toMatchObject({ startLine: 1, verified: true, stale: true });
    expect(citation.fileHash).toBe(await sha256(Buffer.from(now)));
  });

  it.each([
    ['is gone', () => rm(join(workspace.rootPath, 'a.txt'))],
    ['became a link to the outside', () => replaceByLink()],
  ])('does not quote a file that %s', async (_, change) => {
    const passage = await passageOf('a.txt', 'Apes climb.\n');
    await change();
    const citation = await citationOf(passage, 'apes climb');
    expect(citation).toMatchObject({ quote: '', verified: false, stale: true, fileHash: passage.fileHash });
  });

  it('reads a changed file again, even if its length is the same', async () => {
    const passage = await passageOf('a.txt', 'Apes climb.\n');
    const file = join(workspace.rootPath, 'a.txt');
    await citationOf(passage, 'apes climb');
    const copy = join(workspace.rootPath, 'b.txt');
    await writeFile(copy, 'Apes clump.\n');
    await rename(copy, file);
    await utimes(file, 1, 1);
    expect(await citationOf(passage, 'apes climb')).toMatchObject({ verified: false, stale: true });
  });
});

describe('the citation of a sentence', () => {
  const text =
    'Revenue of Acme fell by 12 % in 2023 to 4.1 million euros.\n\nThe board did not approve the merger with Globex.\n';

  it.each<[claim: string, quoted: boolean, verified: boolean]>([
    ['Revenue of Acme fell by 12 % in 2023', true, true],
    ['The board did not approve the merger with Globex', true, true],
    ['The board approved the merger with Globex', true, false],
    ['Revenue of Acme rose by 88 % in 2031 to 900 million dollars', true, false],
    ['Bananas grow on Mars under purple light', false, false],
    ['董事会没有批准合并', false, false], // in another language, so they weren't compared
  ])('is quoted and verified as expected: %s', async (claim, quoted, verified) => {
    const citation = await citationOf(await passageOf('a.md', text), claim);
    expect([citation.quote !== '', citation.verified]).toEqual([quoted, verified]);
  });

  it.each([
    'Myth: {}',
    '{} This is a myth.',
    'The following is false. {}',
    'These are wrong:\n\n- Bears fly.\n- {}\n- Cats swim.',
    'It is false that {}',
    '| Statement | True? |\n|---|---|\n| {} | No, this is wrong |',
    '| Myth | Fact |\n|---|---|\n| {} | Owls see well. |',
    'It’s simply not true that {}',
    '{} False! They see well.',
    'False claims:\n\n* {}\n* Owls are deaf.',
  ])('finds no support in a statement that the file calls false: %s', async (written) => {
    const file = `# Owls\n\n${written.replace('{}', 'Owls are blind by day.')}\n`;
    const passage = await passageOf('a.md', file);
    const citation = await citationOf(passage, 'Owls are blind by day');
    expect(citation).toMatchObject({ support: 'partial', verified: false });
    const { support } = await citationOf(passage, 'Owls are not blind by day');
    expect(support).not.toBe('contradicted');
  });

  it('takes the facts of a sentence from all passages that the sentence cites', async () => {
    const passage = await passageOf('a.md', text);
    const other = await passageOf('b.md', 'The revenue of Globex was 7 million euros.');
    const claim = 'Revenue of Acme fell by 12 % in 2023, that of Globex was 7 million euros';
    expect(await citationOf(passage, claim)).toMatchObject({ verified: false });
    expect(await citationOf(passage, claim, [other])).toMatchObject({ verified: true });
  });
});

describe('an answer that was crafted to take long', () => {
  // One sentence full of numbers that cites ten passages full of numbers, which are all compared.
  const claim = `Owls went 99 77 ${'owls 5/7 '.repeat(108)}`;
  const text = Array.from({ length: 30 }, (_, n) => `Owls went from 1 to ${n} and 5 of ${n} days.`).join(' ');

  it('lets other requests run while its passages are searched', async () => {
    const passages = await Promise.all(Array.from({ length: 10 }, (_, n) => passageOf(`${n}.md`, text)));
    const cited = passages.map((passage, at) => {
      return { index: at + 1, passage, claim, beside: passages.filter((other) => other !== passage) };
    });
    const look = () => citeAll({ objects, records }, workspace, cited);
    const started = threadTime(process.pid);
    await look();
    expect(threadTime(process.pid) - started).toBeLessThan(2000);
    expect(await longestSlice(look)).toBeLessThan(MOST_SLICE_MS);
  });
});

describe('invisible Markdown', () => {
  const claim = 'Owls are a kind of fish and eat granite';
  const lie = 'Owls are a kind of fish and eat granite.';
  const truth = 'Bears hunt mice by night.';

  it.each([
    ['a comment', `<!-- ${lie} -->`],
    ['a comment over several lines', `<!--\n\n${lie}\n\n-->`],
    ['a comment within a sentence', `Bears <!-- ${lie} --> hunt.`],
    ['an unclosed comment', `<!-- ${lie}`],
    ['a comment after an unclosed tag', `One <b c=" two.\n\n<!-- ${lie} -->`],
    ['a comment in an invalid fence', `<div>\n\`\`\`\n<!-- ${lie} -->\n\`\`\`\n</div>`],
    ['an instruction', `<?x ${lie} ?>`],
    ['a declaration', `<!X ${lie}>`],
    ['the attribute hidden', `<span hidden>${lie}</span>`],
    ['an element that is not displayed', `<div style="display: none">\n\n${lie}\n\n</div>`],
    ['a script', `<script>\n${lie}\n</script>`],
    ['struck-out text', `~~${lie}~~`],
    ['a sentence of struck-out text', `Bears: ~~they see badly. ${lie}\nThey swim.~~`],
    ['a deleted element', `It was <del>${lie}</del> so.`],
    ['deleted paragraphs', `<s>\n\n${lie}\n\n</s>`],
    ['an attribute', `<a title="${lie}">night</a>`],
    ['the names of elements', '<Owls-are-a-kind-of-fish-and-eat-granite>'],
    ['the title of a link', `[night](https://example.org "${lie}")`],
    ['the title of a link with an unusual URL', `[night](<https://example.org/a b>\n'${lie}')`],
    ['the title of an image', `![night](a.png (${lie}))`],
    ['the title of a reference', `[night][n]\n\n[n]: https://example.org\n  "${lie}"`],
    ['a reference as a comment', `[//]: # (${lie})`],
    ['a reference in a block quote', `> [n]: <> "${lie}"`],
  ])('is not quoted: %s', async (_, hidden) => {
    const passage = await passageOf('a.md', `${truth}\n\n${hidden}\n`);
    expect(await citationOf(passage, claim)).toMatchObject({ quote: '', verified: false });
  });

  it.each([
    ['a code fence', '```html\n<!-- Owls eat. -->\n```', 'Owls eat'],
    ['inline code', 'Write `<!-- Owls eat. -->` there.', 'Owls eat'],
    ['tildes that strike nothing out', 'At ~~ 3 kg, Owls eat granite.\n\n\\~~ and ~~', 'Owls eat granite.'],
    ['tildes in two paragraphs', '~~One.\n\nOwls eat granite. Two~~', 'Owls eat granite.'],
    ['a footnote', '[^1]: Owls eat granite.', 'Owls eat granite.'],
    ['the name of a speaker', '[Anna]: Owls eat granite.', 'Owls eat granite.'],
    ['plain angle brackets', 'Owls < 3 kg eat granite & 5 > 4.', 'Owls < 3 kg eat granite & 5 > 4.'],
    ['plain tags', 'Owls <b>eat</b> granite.', 'Owls <b>eat</b> granite.'],
    ['a link', '[Owls](https://example.org/a_(b)) eat "hard" granite.', 'eat "hard" granite.'],
  ])('does not hide %s', async (_, shown, quoted) => {
    const text = `One.\r\n\r\n${shown}\r\n\r\n<!-- Owls eat granite. -->\r\n`;
    const { quote, verified } = await citationOf(await passageOf('a.md', text), 'owls eat');
    expect([quote.includes(quoted), text.indexOf(quote) < text.lastIndexOf('<!--')]).toEqual([true, true]);
    expect(verified).toBe(true);
  });

  it.each([
    ['a.adoc', `////\n${lie}\n////`],
    ['a.rst', `..\n   ${lie}`],
    ['a.org', `#+BEGIN_COMMENT\n${lie}\n#+END_COMMENT`],
    ['a.tex', `\\iffalse\n${lie}\n\\fi`],
  ])('is not quoted from %s either', async (path, hidden) => {
    const passage = await passageOf(path, `${truth}\n\n${hidden}\n`);
    expect(await citationOf(passage, claim)).toMatchObject({ quote: '', verified: false });
  });

  it('provides no facts for a sentence that also cites another file', async () => {
    const passage = await passageOf('a.md', 'Owls weigh little.');
    const other = await passageOf('b.md', 'Owls fly.\n\n<!-- Owls weigh 900 kg. -->\n');
    expect(await citationOf(passage, 'Owls weigh 900 kg', [other])).toMatchObject({ verified: false });
  });
});

describe('cached document texts', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const goOn = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(ms);

  async function documents(paths: string[], length: number) {
    const text = `Apes climb.\n${'x'.repeat(length)}`;
    await keepText(await sha256(Buffer.from('%PDF')), text);
    const passages = await Promise.all(paths.map((path) => passageOf(path, '%PDF')));
    const reads = jest.spyOn(objects, 'getBytes');
    return async (index: number) => {
      reads.mockClear();
      const passage = passages[index] as Passage;
      const citation = await citationOf({ ...passage, endChar: 11 }, 'apes climb');
      expect(citation).toMatchObject({ verified: true });
      return reads.mock.calls.length > 0;
    };
  }

  it('count by their text size, however small their files are', async () => {
    const isRead = await documents(['a.pdf', 'b.pdf', 'c.pdf'], 12_000_000);
    goOn(Date.now() + 5000);
    expect([await isRead(0), await isRead(0), await isRead(1), await isRead(2)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(await isRead(0)).toBe(true);
  });

  it('are read again after a while, because a sync may have replaced them', async () => {
    const isRead = await documents(['d.pdf'], 1);
    const start = Date.now() + 5000;
    goOn(start);
    expect([await isRead(0), await isRead(0)]).toEqual([true, false]);
    goOn(start + 61_000);
    expect(await isRead(0)).toBe(true);
  });
});

async function replaceByLink() {
  const file = join(workspace.rootPath, 'a.txt');
  const outside = join(await tempFolder(), 'secret.txt');
  await writeFile(outside, 'Apes climb.\n');
  await rm(file);
  await symlink(outside, file);
}

describe('the check of facts around a quote', () => {
  const OSAKA =
    'We measured building retrofits in Osaka at 630 sites. The mean reduction was 2.5 °C.\n\nFurther sites are planned in Kobe for 2027.\n';

  it.each([
    ['Building retrofits were measured at 630 sites in Osaka, with a mean reduction of 2.5 °C.', []],
    ['The mean reduction at the 630 sites in Osaka was 2.5 °C.', []],
    ['We measured building retrofits in Osaka at 999 sites.', ['999']],
    ['Building retrofits at 999 sites in Osaka reduced it by 2.5 °C.', ['999']],
    ['The mean reduction in Osaka was 3.5 °C.', ['3.5 °C']],
    ['We measured building retrofits in Nagoya at 630 sites.', ['Nagoya']],
    ['We measured building retrofits in Osaka at 630 sites in 2019.', ['2019']],
  ])('names the facts that no text around the quote has: %s', async (claim, missing) => {
    const citation = await citationOf(await passageOf('a.md', OSAKA), claim);
    expect(citation.checks?.flatMap(({ detail }) => detail ?? [])).toEqual(missing);
    expect(citation.support).toBe(missing.length === 0 ? 'unjudged' : 'partial');
  });

  it('reports a number as missing that only another row has', async () => {
    const table = '| Street | Sites |\n|---|---|\n| Alder Street | 630 |\n| Quay Street | 999 |\n';
    const citation = await citationOf(await passageOf('a.md', table), 'Alder Street has 999 sites');
    expect(citation.checks).toContainEqual({
      kind: 'number',
      ok: false,
      detail: expect.stringContaining('999'),
    });
  });
});
