import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import yauzl from 'yauzl';
import { commentDocx } from '../../../../lib/formats/office/comment-docx.ts';
import { sentencesOfBlocks } from '../../../../lib/verify/draft/draft.ts';
import { readWordDraft } from '../../../../lib/verify/draft/word-draft.ts';
import { decodeXml, readEntries, readRanges, withoutAnchors } from '../../../support/docx-comments.ts';
import { tries } from '../../../support/tries.ts';
import { makeWordDraft, packWordBody } from '../../../support/word-drafts.ts';

const AT = new Date('2026-11-26T08:00:00.123Z');

/** Comments on some sentences of a random draft, and returns everything that may be compared. */
async function commentSome(seed: number, share: number) {
  const sample = await makeWordDraft(seed);
  const { blocks } = await readWordDraft(yauzl, sample.bytes);
  const found = sentencesOfBlocks(blocks);
  const chosen = found.flatMap((sentence, index) =>
    (index * 7919 + seed) % 100 < share ? [{ ...sentence, index }] : [],
  );
  const comments = chosen.map(({ start, end }, index) => ({
    start,
    end,
    text: `Verdict ${index} <&>\nMore.`,
  }));
  const bytes = await commentDocx(yauzl, sample.bytes, await readWordDraft(yauzl, sample.bytes), {
    comments,
    at: AT,
  });
  const entries = await readEntries(bytes);
  const source = decodeXml(entries.get(sample.main) ?? Buffer.alloc(0));
  const ranges = readRanges(source);
  const ids = [...ranges.keys()].filter((id) => !sample.ownComments.includes(id));
  return { sample, found, chosen, entries, source, ranges, ids: ids.sort((one, other) => one - other) };
}

type Commented = Awaited<ReturnType<typeof commentSome>>;

function expectOnlyInsertions({ sample, chosen, entries, source, ids }: Commented): void {
  expect(ids).toHaveLength(chosen.length);
  expect(withoutAnchors(source, ids)).toBe(decodeXml(sample.entries.get(sample.main) ?? Buffer.alloc(0)));
  expectSameParts(sample.entries, entries, sample.main);
}

function expectRangesAroundSentences({ sample, chosen, ranges, ids }: Commented): void {
  for (const [at, id] of ids.entries()) {
    const { text = '', elsewhere } = sample.sentences[chosen[at]?.index ?? -1] ?? {};
    const range = ranges.get(id);
    if (elsewhere === '') expect(range?.footnotes.length).toBeGreaterThan(0);
    else expect(fold(range?.text)).toContain(fold(elsewhere ?? text));
    expect(range?.isInField).toBe(false);
    for (const parent of Object.values(range?.parents ?? {})) expect(['p', 'ins']).toContain(parent);
  }
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const COMMENTS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments';

function run(text: string): string {
  return `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
}

/** Comments on each sentence, and returns the entries as text. */
async function commentEach(
  bytes: Uint8Array,
  text = 'Supported',
  author?: string,
): Promise<Map<string, string>> {
  const { blocks } = await readWordDraft(yauzl, bytes);
  const comments = sentencesOfBlocks(blocks).map(({ start, end }) => ({
    start,
    end,
    text,
    ...(author && { author }),
  }));
  const entries = await readEntries(
    await commentDocx(yauzl, bytes, await readWordDraft(yauzl, bytes), { comments, at: AT }),
  );
  return new Map([...entries].map(([name, content]) => [name, content.toString()]));
}

async function bodyOf(bytes: Uint8Array): Promise<string> {
  const xml = (await commentEach(bytes)).get('word/document.xml') ?? '';
  return xml.replace(/^.*<w:body>|<\/w:body>.*$/g, '');
}

const start = (id: number) => `<w:commentRangeStart w:id="${id}"/>`;
const end = (id: number) => `<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`;

describe('commentDocx', () => {
  it('changes nothing else when it inserts the comments, each around its sentence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 10, max: 100 }), async (seed, share) => {
        const commented = await commentSome(seed, share);
        const { sample, found } = commented;
        expect(found.map(({ text }) => text)).toEqual(sample.sentences.map(({ text }) => text));
        expectOnlyInsertions(commented);
        expectRangesAroundSentences(commented);
      }),
      { numRuns: tries(500) },
    );
  }, 120_000);

  it('reads a footnote of 20,000 paragraphs once', async () => {
    const paragraph = `<w:p>${run('Owls sleep.')}</w:p>`;
    const body = `<w:p>${run('Owls.')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`;
    const bytes = await packWordBody(body, {
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://a.example/footnotes" Target="footnotes.xml"/></Relationships>`,
      'word/footnotes.xml': `<w:footnotes xmlns:w="${WORD}"><w:footnote w:id="2">${paragraph.repeat(20_000)}</w:footnote></w:footnotes>`,
    });
    const before = process.cpuUsage();
    expect((await readWordDraft(yauzl, bytes)).blocks).toHaveLength(20_001);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
  });

  it('ends a comment before the next one starts', async () => {
    const bytes = await packWordBody(`<w:p>${run('Owls sleep. ')}${run('Apes climb.')}</w:p>`);
    expect(await bodyOf(bytes)).toBe(
      `<w:p>${start(0)}${run('Owls sleep. ')}${end(0)}${start(1)}${run('Apes climb.')}${end(1)}</w:p>`,
    );
  });

  it('puts the comment around the whole run that has several sentences, and quotes the commented sentence', async () => {
    const entries = await commentEach(await packWordBody(`<w:p>${run('Owls &lt;sleep. Apes climb.')}</w:p>`));
    expect(entries.get('word/document.xml')).toContain(
      `<w:p>${start(0)}${start(1)}${run('Owls &lt;sleep. Apes climb.')}${end(0)}${end(1)}</w:p>`,
    );
    expect(entries.get('word/comments.xml')).toContain(
      '<w:p><w:r><w:annotationRef/></w:r><w:r><w:rPr><w:i/></w:rPr><w:t xml:space="preserve">“Owls &lt;sleep.”</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">Supported</w:t>',
    );
  });

  it('puts comments inside a tracked insertion of several sentences, and around links and fields', async () => {
    const inserted = (inner: string) => `<w:ins w:id="5" w:author="x">${inner}</w:ins>`;
    const link = `<w:hyperlink>${run('Apes')}${run(' climb.')}</w:hyperlink>`;
    const bytes = await packWordBody(
      `<w:p>${inserted(run('Owls sleep. ') + run('Cats play. '))}${link}</w:p>`,
    );
    expect(await bodyOf(bytes)).toBe(
      `<w:p>${inserted(start(0) + run('Owls sleep. ') + end(0) + start(1) + run('Cats play. ') + end(1))}${start(2)}${link}${end(2)}</w:p>`,
    );
  });

  it('writes paragraphs of text without characters that XML does not allow', async () => {
    const bytes = await packWordBody(`<w:p>${run('Owls sleep.')}</w:p>`);
    const xml = (await commentEach(bytes, 'One <b> & "two"\u0000\ud800\nThree\ufffe', 'Zoë "Z" Ba')).get(
      'word/comments.xml',
    );
    expect(xml).toBe(
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:comments xmlns:w="${WORD}"><w:comment w:id="0" w:author="Zoë &quot;Z&quot; Ba" w:date="2026-11-26T08:00:00Z" w:initials="ZZB"><w:p><w:r><w:annotationRef/></w:r><w:r><w:t xml:space="preserve">One &lt;b&gt; &amp; &quot;two&quot;</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">Three</w:t></w:r></w:p></w:comment></w:comments>`,
    );
  });

  it('declares a new part under an unused name', async () => {
    const others = { 'word/Comments.xml': 'not related' };
    const entries = await commentEach(await packWordBody(`<w:p>${run('Owls sleep.')}</w:p>`, others));
    expect(entries.get('word/Comments.xml')).toBe('not related');
    const [name = ''] = [...entries.keys()].filter((each) => /^word\/comments-/.test(each));
    expect(entries.get(name)).toContain('Supported');
    expect(entries.get('word/_rels/document.xml.rels')).toMatch(
      new RegExp(
        `<Relationship Id="rId[^"]+" Type="${COMMENTS}" Target="${name.slice(5)}"/></Relationships>$`,
      ),
    );
    expect(entries.get('[Content_Types].xml')).toMatch(
      new RegExp(`<Override PartName="/${name}" [^>]*/></Types>$`),
    );
  });

  it("continues numbering after the author's comment IDs", async () => {
    const rels = `<p:Relationships xmlns:p="http://schemas.openxmlformats.org/package/2006/relationships"><p:Relationship Id="rId1" Type="${COMMENTS}" Target="/word/own.xml"/></p:Relationships>`;
    const own = (id: number) => ({
      'word/_rels/document.xml.rels': rels,
      'word/own.xml': `<c:comments xmlns:c="${WORD}"><c:comment c:id="${id}"/></c:comments>`,
    });
    const body = `<w:p>${run('Owls sleep. ')}${run('Apes climb.')}</w:p>`;
    for (const [id, first] of [
      [7, 8],
      [0, 1],
    ] as const) {
      const entries = await commentEach(await packWordBody(body, own(id)));
      expect(entries.get('word/_rels/document.xml.rels')).toBe(rels);
      expect(entries.get('word/own.xml')).toMatch(
        new RegExp(`^<c:comments [^>]*><c:comment c:id="${id}"/><w:comment xmlns:w="[^"]*" w:id="${first}"`),
      );
      expect(entries.get('word/document.xml')).toContain(start(first + 1));
    }
  });

  it("finds the end of the author's comments, and attribute values in single quotes", async () => {
    const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${COMMENTS}" Target="comments.xml"/></Relationships>`;
    const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName='/word/comments.xml' ContentType='application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml'/></Types>`;
    const declared = { '[Content_Types].xml': types, 'word/_rels/document.xml.rels': rels };
    const own = `<w:comments xmlns:w="${WORD}"></w:comments><!-- </w:comments> -->`;
    const body = `<w:p>${run('Owls sleep.')}</w:p>`;
    const stored = await commentEach(await packWordBody(body, { ...declared, 'word/comments.xml': own }));
    expect(stored.get('word/comments.xml')).toMatch(/<\/w:comment><\/w:comments><!-- <\/w:comments> -->$/);
    const missing = await commentEach(await packWordBody(body, declared));
    expect(missing.get('[Content_Types].xml')).toBe(types);
  });

  it('declares its own prefix if the document uses the usual prefix for something else', async () => {
    const bytes = await packWordBody(`<w:p>${run('Owls sleep.')}<x:y xmlns:x="a" xmlns:w="b"/></w:p>`);
    expect(await bodyOf(bytes)).toContain(`<w:commentRangeStart xmlns:w="${WORD}" w:id="0"/>`);
  });

  it('refuses a comment whose location has no text', async () => {
    const bytes = await packWordBody(`<w:p>${run('Owls sleep.')}</w:p>`);
    for (const [from, to] of [
      [5, 5],
      [0, 99],
      [-1, 3],
      [Number.NaN, 3],
    ] as const)
      await expect(
        commentDocx(yauzl, bytes, await readWordDraft(yauzl, bytes), {
          comments: [{ start: from, end: to, text: 'x' }],
          at: AT,
        }),
      ).rejects.toThrow(RangeError);
  });
});

function fold(text = ''): string {
  return text.replace(/\s+/g, ' ');
}

/** Expects all parts to be the same, except the document, its comments, and their declarations. */
function expectSameParts(before: Map<string, Buffer>, after: Map<string, Buffer>, main: string): void {
  const added = [...after.keys()].filter((name) => !before.has(name));
  expect(added.length).toBeLessThanOrEqual(1);
  for (const [name, bytes] of before) {
    const now = after.get(name)?.toString('latin1') ?? '';
    if (name === main || /comments|notes1/.test(name)) continue;
    const isDeclaring = added.length === 1 && /Content_Types|_rels\/document/.test(name);
    if (!isDeclaring) expect(now).toBe(bytes.toString('latin1'));
    else
      expect(now.replace(/<(?:Override|Relationship) [^>]*comments[^>]*>(?=<\/\w+>$)/, '')).toBe(
        bytes.toString('latin1'),
      );
  }
}
