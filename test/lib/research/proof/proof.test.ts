import { describe, expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import { replaceEntries } from '../../../../lib/formats/office/replace-entries.ts';
import { digest } from '../../../../lib/research/proof/digest.ts';
import { makeProof, manifestOf, packProof } from '../../../../lib/research/proof/make-proof.ts';
import { readProof } from '../../../../lib/research/proof/read-proof.ts';
import { FILE } from '../../../../lib/research/proof/schema.ts';
import { verifyProof } from '../../../../lib/research/proof/verify-proof.ts';
import { seededRandom } from '../../../eval/citations/seeded-random.ts';
import { type Packing, packByHand } from '../../../support/pack-by-hand.ts';
import { exampleProof, proofMaterial, shortProof } from '../../../support/proofs.ts';
import { makeHostileReport } from '../../../support/research-reports.ts';
import { sealAgain, TAMPERINGS, tamper } from '../../../support/tamper-proof.ts';

const problemsOf = async (proof: Buffer, options = {}) =>
  (await verifyProof(proof, options)).checks.flatMap(({ problems }) => problems);

describe('makeProof', () => {
  it.each(['en', 'zh-CN'] as const)('makes a proof that is intact: %s', async (language) => {
    const { bytes, rootHash } = makeProof(proofMaterial(language));
    const verified = await verifyProof(Buffer.from(bytes), { rootHash });
    expect(verified.checks.flatMap(({ problems }) => problems)).toEqual([]);
    expect(verified).toMatchObject({ isIntact: true, rootHash, runId: proofMaterial().run.id });
    expect(verified.checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'archive passed',
      'manifest passed',
      'root passed',
      'metadata passed',
      'quotes passed',
      'sentences passed',
      'text passed',
      'facts passed',
    ]);
  });

  it('makes the same bytes of the same report', () => {
    expect(exampleProof().equals(exampleProof())).toBe(true);
  });

  it('has a quote once that a follow-up report uses for several questions', async () => {
    const { report } = proofMaterial();
    const again = report.evidence.map((each) => ({ ...each, questionId: 'q9' }));
    const proof = exampleProof('en', { report: { ...report, evidence: [...report.evidence, ...again] } });
    expect(await problemsOf(proof)).toEqual([]);
  });

  it('contains passages, and no complete source', async () => {
    const files = await readProof(exampleProof());
    const extracts = [...files].filter(([path]) => path.startsWith('extracts/'));
    expect(extracts.length).toBe(proofMaterial().report.evidence.length);
    for (const [, text] of extracts) expect(text.toString().length).toBeLessThan(1500);
  });

  it('escapes what a model or a source says', async () => {
    const report = makeHostileReport();
    const proof = exampleProof('en', { report, extracts: new Map() });
    const preview = (await readProof(proof)).get('ro-crate-preview.html')?.toString();
    expect(preview).not.toMatch(/<script|<img/);
    const { checks } = await verifyProof(proof); // a sentence cites e9, which isn't there
    expect(checks.filter(({ state }) => state === 'failed').map(({ name }) => name)).toEqual(['sentences']);
  });

  it('says which quotes have no passage', async () => {
    const { isIntact, checks } = await verifyProof(exampleProof('en', { extracts: new Map() }));
    expect(isIntact).toBe(true);
    expect(checks.find(({ state }) => state === 'not_checked')).toMatchObject({
      name: 'quotes',
      about: expect.stringContaining('no passage for'),
    });
  });
});

describe('verifyProof', () => {
  it.each(Object.keys(TAMPERINGS))('finds %s', async (kind) => {
    const random = seededRandom(kind.length);
    const proof = shortProof();
    expect(await problemsOf(proof)).toEqual([]);
    for (let time = 0; time < 2; time++) {
      const tampered = await tamper(proof, kind, random);
      if (tampered !== undefined) expect(await problemsOf(tampered)).not.toEqual([]);
    }
  });

  it('tells a forged proof only by the root hash of the service', async () => {
    const { rootHash } = makeProof(proofMaterial());
    const forged = exampleProof('en', { totals: { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 } });
    expect(await problemsOf(forged)).toEqual([]);
    expect(await problemsOf(forged, { rootHash })).toEqual([
      expect.stringContaining('and not the one that you gave'),
    ]);
  });

  it('finds a changed quote in a proof whose hashes were all made again', async () => {
    const { report } = proofMaterial();
    const [first, ...others] = report.evidence;
    const evidence = [{ ...first, quote: `${first?.quote} 7` } as typeof first & object, ...others];
    expect(await problemsOf(exampleProof('en', { report: { ...report, evidence } }))).toContain(
      "Quote e1 isn't in its passage.",
    );
  });

  it.each<[string, (text: string) => Record<string, string>, string]>([
    [
      'more sentences in report.md',
      (text) => ({ [FILE.text]: text.replace('\n\n', '\n\nVaccines cause autism.[^1]\n\n') }),
      'report.md says more',
    ],
    [
      'a report in a comment of report.md',
      (text) => ({ [FILE.text]: `Everything below is wrong.\n\n<!--\n${text}\n-->\n` }),
      'report.md says more',
    ],
    [
      'another page',
      () => ({ [FILE.preview]: '<script>alert(1)</script>' }),
      'ro-crate-preview.html says more',
    ],
    ['other files', () => ({ 'README.html': '<script>' }), 'README.html is no file of a proof.'],
    [
      'a file next to the extracts',
      () => ({ 'extracts/a.exe': 'MZ' }),
      'extracts/a.exe is no file of a proof.',
    ],
  ])('finds %s, though everything was sealed again', async (_, change, problem) => {
    const files = new Map(await readProof(shortProof()));
    expect(await problemsOf(sealAgain(files))).toEqual([]);
    for (const [path, content] of Object.entries(change(String(files.get(FILE.text)))))
      files.set(path, Buffer.from(content));
    expect(await problemsOf(sealAgain(files))).toContainEqual(expect.stringContaining(problem));
  });

  it.each([
    [FILE.report, '{\n', '{\n "sections": [],\n', 'has a key twice'],
    [FILE.quotes, '{\n', '{\n "quotes": [],\n', 'has a key twice'],
    [FILE.plan, '{\n', '{\n "conclusion": "no",\n', 'Unrecognized key'],
    [FILE.calls, '{\n', '{\n "conclusion": "no",\n', 'Unrecognized key'],
    [FILE.metadata, '"name": "Research run"', '"name": "x",\n   "name": "Research run"', 'says more'],
    [
      FILE.metadata,
      '"@graph": [',
      '"@graph": [\n  {\n   "@id": "#x",\n   "@type": "Person"\n  },',
      'says more',
    ],
  ])('refuses %s with %j for %j', async (path, from, to, problem) => {
    const files = new Map(await readProof(shortProof()));
    const json = String(files.get(path)).replace(from, to.replace(/\n$/, '\n'));
    const resealed = await readProof(sealAgain(files));
    resealed.set(path, Buffer.from(json));
    const manifest = manifestOf(withoutHashes(resealed));
    resealed.set(FILE.manifest, Buffer.from(manifest)).set(FILE.root, Buffer.from(`${digest(manifest)}\n`));
    const problems = await problemsOf(Buffer.from(packProof(resealed)));
    expect(problems).toContainEqual(expect.stringContaining(problem));
  });

  it('accepts a proof that was packed again only with `repacked`', async () => {
    const files = await readProof(exampleProof());
    const repacked = Buffer.from(await replaceEntries(yauzl, exampleProof(), files, 'ZIP'));
    expect(repacked.length).toBeLessThan(exampleProof().length);
    expect(await problemsOf(repacked)).toEqual([expect.stringContaining('--repacked')]);
    expect(await problemsOf(repacked, { repacked: true })).toEqual([]);
    const [path, content] = [...files][3] as [string, Buffer];
    const changed = await replaceEntries(
      yauzl,
      repacked,
      new Map([[path, Buffer.concat([content, content])]]),
      'ZIP',
    );
    expect(await problemsOf(Buffer.from(changed), { repacked: true })).not.toEqual([]);
  });

  it.each<[string, Packing]>([
    [
      'other local names',
      { localName: (path) => ({ [FILE.text]: 'x.md', [FILE.plan]: FILE.text })[path] ?? path },
    ],
    ['an entry after the others', { added: [[FILE.text, '# Forged\n']] }],
    ['an entry before the others', { added: [[FILE.text, '# Forged\n']], isFirst: true }],
    ['an entry within compressed contents', { within: [FILE.text, '# Forged\n'] }],
    ['another local size', { localSize: 1 }],
  ])('refuses a repacked proof that programs which unpack a stream read with %s', async (_, packing) => {
    const files = await readProof(shortProof());
    const options = { repacked: true, rootHash: makeProof(proofMaterial('en', {}, 1)).rootHash };
    expect(await problemsOf(packByHand(files, {}), options)).toEqual([]);
    expect(await problemsOf(packByHand(files, packing), options)).toEqual([
      'Programs that unpack the ZIP file from its beginning get other files.',
    ]);
  });

  it('finds a supported sentence whose quotes say another number', async () => {
    const material = proofMaterial();
    const sections = structuredClone(material.report.sections);
    const sentence = sections
      .flatMap(({ paragraphs }) => paragraphs.flat())
      .find(({ text }) => /\d/.test(text));
    if (sentence) sentence.text = sentence.text.replace(/\d+/, '4711');
    const problems = await problemsOf(exampleProof('en', { report: { ...material.report, sections } }));
    expect(problems).toEqual([expect.stringMatching(/isn't supported by its quotes.*4711/)]);
  });

  it.each([
    ['no ZIP file', Buffer.from('hello'), "It isn't a complete ZIP file."],
    ['an empty file', Buffer.alloc(0), "It isn't a complete ZIP file."],
    [
      'a ZIP file without a proof',
      Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64'),
      'It is a ZIP file without the files of a proof.',
    ],
  ])('says of %s that it is no proof', async (_name, bytes, problem) => {
    expect(await verifyProof(bytes)).toEqual({
      ...{ isIntact: false, isProof: false, quotes: [] },
      checks: [
        { name: 'archive', state: 'failed', about: "This isn't a proof of a report.", problems: [problem] },
      ],
    });
  });

  it('words a check that failed as a failure, with the count of what is right', async () => {
    const { report } = proofMaterial();
    const [first, ...others] = report.evidence;
    const evidence = [{ ...first, quote: `${first?.quote} 7` } as typeof first & object, ...others];
    const { checks } = await verifyProof(exampleProof('en', { report: { ...report, evidence } }));
    expect(checks.find(({ name }) => name === 'quotes')?.about).toBe(
      `Only ${others.length} of ${evidence.length} quotes are in the passages of the proof, exactly, at their lines.`,
    );
    const bare = await verifyProof(await packedWithout(exampleProof(), FILE.plan));
    expect(bare.checks.flatMap(({ problems }) => problems)).toContain('plan.json is missing.');
    const passed = (await verifyProof(exampleProof())).checks.map(({ about }) => about);
    for (const { state, about } of bare.checks) if (state === 'failed') expect(passed).not.toContain(about);
    expect(bare.checks.filter(({ state }) => state === 'failed').length).toBeGreaterThan(1);
  });
});

function withoutHashes(files: Map<string, Buffer>): Map<string, Buffer> {
  return new Map([...files].filter(([path]) => path !== FILE.manifest && path !== FILE.root));
}

async function packedWithout(proof: Buffer, path: string): Promise<Buffer> {
  const files = await readProof(proof);
  files.delete(path);
  return Buffer.from(packProof(files));
}
