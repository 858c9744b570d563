import { createHash } from 'node:crypto';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { verifyReportFile } from '../../infra/verify-report.ts';
import { makeProof } from '../../lib/research/proof/make-proof.ts';
import type { Evidence, Report } from '../../lib/research/schema.ts';
import { exampleProof, proofMaterial } from '../support/proofs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { personEnvironment, runWrs, type WrsRun } from '../support/wrs.ts';

const FILES = resolve(import.meta.dirname, '../../infra/example/files');

let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await tempFolder();
  env = await personEnvironment();
  await writeFile(join(folder, 'proof.zip'), exampleProof());
});

function verify(...args: string[]): Promise<WrsRun> {
  return runWrs(['verify-report', ...args], { env, cwd: folder });
}

it('verifies a proof with its root hash and the quoted files, without a service', async () => {
  const { rootHash } = makeProof(proofMaterial());
  const { code, stdout, stderr } = await verify('proof.zip', '--root-hash', rootHash, '--folder', FILES);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Root hash: ${rootHash}\nThe proof is intact.\n`);
  expect(stdout.match(/^passed: /gm)).toHaveLength(9);
});

it('says how to rule out a forged proof', async () => {
  const { code, stdout } = await verify('proof.zip');
  expect([code, stdout]).toEqual([0, expect.stringContaining('could have sealed it again.')]);
  expect(stdout).not.toContain('intact');
  const { checks } = JSON.parse((await verify('proof.zip', '--json')).stdout);
  expect(checks.at(-1)).toMatchObject({ name: 'root', state: 'not_checked' });
});

it('ends with 1 for a tampered proof, another root hash, and changed files', async () => {
  const bytes = exampleProof();
  bytes[5000] = (bytes[5000] ?? 0) ^ 1;
  await writeFile(join(folder, 'tampered.zip'), bytes);
  const tampered = await verify('tampered.zip', '--json');
  expect([tampered.code, JSON.parse(tampered.stdout)]).toEqual([
    1,
    expect.objectContaining({ file: 'tampered.zip', isIntact: false }),
  ]);
  const other = await verify('proof.zip', '--root-hash', 'A'.repeat(64));
  expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('not the one that you gave')]);
  const changed = join(folder, 'files');
  await cp(FILES, changed, { recursive: true });
  await writeFile(join(changed, 'papers/2023-school-yard.html'), 'changed');
  const files = await verify('proof.zip', '--folder', changed);
  expect([files.code, files.stdout]).toEqual([
    1,
    expect.stringContaining('papers/2023-school-yard.html was changed.'),
  ]);
});

it('looks for the quotes in the files: an invented one is not there, whatever the hash', async () => {
  const files = join(folder, 'invented');
  const text = 'Owls hunt mice at night.\n<!-- Vaccines cause autism. -->\n';
  await mkdir(files);
  await writeFile(join(files, 'real.md'), text);
  const fileHash = createHash('sha256').update(text).digest('hex');
  const { report } = proofMaterial('en', {}, 1);
  const check = async (quote: string, line: number, passage = quote) => {
    const first = report.evidence[0] as Evidence;
    const evidence = [{ ...first, id: 'z1', path: 'real.md', quote, startLine: line, endLine: line }];
    const sentence = { text: quote, state: 'supported' as const, evidence: ['z1'] };
    const sections = [{ ...report.sections[0], paragraphs: [[sentence]] }];
    const counts = { sentences: 1, supported: 1, marked: 0, dropped: 0 };
    const start = passage.indexOf(quote);
    const proof = exampleProof('en', {
      report: { ...report, sections, evidence, counts } as Report,
      extracts: new Map([['z1', { fileHash, text: passage, firstLine: line, start }]]),
    });
    await writeFile(join(folder, 'invented.zip'), proof);
    const { isIntact, checks } = await verifyReportFile(join(folder, 'invented.zip'), { folder: files });
    return [isIntact, ...checks.flatMap(({ problems }) => problems)];
  };
  expect(await check('Owls hunt mice at night.', 1)).toEqual([true]);
  const problem = "Quote z1 isn't in real.md with its passage, at its lines.";
  expect(await check('Vaccines cause autism in children.', 1)).toEqual([false, problem]);
  expect(await check('Owls hunt mice at night.', 900)).toEqual([false, problem]);
  expect(await check('Owls hunt mice', 1, 'Owls hunt mice by day.')).toEqual([false, problem]);
  expect(await check('Vaccines cause autism.', 2)).toEqual([false, problem]);
});

it('says of another file only that it is no proof', async () => {
  await writeFile(join(folder, 'draft.docx'), 'hello');
  const { code, stdout } = await verify('draft.docx', '--folder', FILES);
  expect([code, stdout]).toEqual([1, "This isn't a proof of a report. It isn't a complete ZIP file.\n"]);
});

it.each([[[]], [['a.zip', 'b.zip']], [['missing.zip']], [['proof.zip', '--root-hash', 'abc']]])(
  'ends with 2 for %j',
  async (args) => {
    const { code, stdout } = await verify(...args);
    expect([code, stdout]).toEqual([2, '']);
  },
);
