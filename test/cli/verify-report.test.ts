import { cp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { makeProof } from '../../lib/research/proof/make-proof.ts';
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
  expect([code, stdout]).toEqual([0, expect.stringContaining('Someone could have made all of it again.')]);
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
