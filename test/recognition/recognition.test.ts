import { appendFile, cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { engineFolder, readRecognitionManifest } from '../../lib/adapters/tesseract/manifest.ts';
import { tesseractRecognizer } from '../../lib/adapters/tesseract/recognizer.ts';
import { InvalidInput } from '../../lib/errors.ts';
import type { Recognizer } from '../../lib/ports/recognizer.ts';
import { goldenDocument } from '../lib/formats/samples.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { mutate } from '../support/samples/mutate.ts';
import { startService } from '../support/service.ts';
import { eventually, syncWorkspace } from '../support/sync.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';

const ROOT = resolve(import.meta.dirname, '../..');
// Outside the test run's folder, because the path is an argument of the engine's process, which ends after
// the last test.
const folder = join(ROOT, '.cache/recognition');

async function runCli(args: string[], env: Record<string, string> = {}) {
  return runProgram(process.execPath, [join(ROOT, 'infra/recognition/cli.ts'), ...args], {
    env: { ...process.env, RECOGNITION_DIR: folder, ...env },
    cwd: await tempFolder(),
  });
}

async function open(at = folder): Promise<Recognizer> {
  const manifest = await readRecognitionManifest(at);
  if (manifest === undefined) throw new Error('not installed');
  return tesseractRecognizer(at, manifest);
}

const read = async (name: string, page = 1) =>
  (await open()).readPage({
    format: name.endsWith('.pdf') ? 'pdf' : 'picture',
    bytes: goldenDocument(name),
    page,
  });

beforeAll(async () => {
  const { code, stdout, stderr } = await runCli(['install']);
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
}, 300_000);

describe('OCR engine', () => {
  it.each([
    ['apes.png', 1, 'Apes climb high in the evening.'],
    ['station-zh.png', 1, '望远镜在去年冬天修理完毕。'],
    ['turned.jpg', 1, 'forty ships before noon.'],
    ['diary-scan.pdf', 1, 'We left the harbour at dawn'],
    ['diary-scan.pdf', 2, 'on the ninth of June.'],
  ])('reads %s, page %d', async (name, page, says) => {
    expect(await read(name, page)).toContain(says);
  });

  it('reads or rejects damaged files, and continues', async () => {
    const recognizer = await open();
    const files = ['apes.png', 'turned.jpg', 'diary-scan.pdf'];
    for (const [index, name] of [...files, ...files, ...files].entries()) {
      const bytes = mutate(goldenDocument(name), index + 1);
      const format = name.endsWith('.pdf') ? 'pdf' : 'picture';
      const outcome = await recognizer.readPage({ format, bytes, page: 1 }).catch((error: unknown) => error);
      if (typeof outcome !== 'string') expect(outcome).toBeInstanceOf(InvalidInput);
    }
    expect(await read('apes.png')).toBe('Apes climb high in the evening.');
  });

  it("can also be installed from a folder, and isn't run after one of its files changes", async () => {
    const other = join(await tempFolder(), 'other');
    const { code, stdout } = await runCli(['install', '--from', engineFolder(folder)], {
      RECOGNITION_DIR: other,
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('eng+chi_sim@')]);
    const again = await runCli(['install', '--from', engineFolder(other)], { RECOGNITION_DIR: other });
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('eng+chi_sim@')]);
    const changed = join(await tempFolder(), 'changed');
    await cp(other, changed, { recursive: true });
    await appendFile(join(engineFolder(changed), 'tesseract.wasm'), 'x');
    const page = { format: 'picture' as const, bytes: goldenDocument('apes.png'), page: 1 };
    // Runs in a separate process, because this thread's process has loaded its engine.
    const program = `const { tesseractRecognizer } = await import(${JSON.stringify(join(ROOT, 'lib/adapters/tesseract/recognizer.ts'))});
      const manifest = ${await readFile(join(changed, 'manifest.json'), 'utf8')};
      const recognizer = tesseractRecognizer(${JSON.stringify(changed)}, manifest);
      await recognizer.readPage({ format: 'picture', bytes: Buffer.from('${Buffer.from(page.bytes).toString('base64')}', 'base64'), page: 1 })
        .then(console.log, (error) => console.log(error.code, error.message));
      process.exit();`;
    const run = await runProgram(process.execPath, ['--input-type=module', '-e', program]);
    expect(run.stdout).toMatch(/^ocr_unavailable .*tesseract\.wasm was changed/);
    const status = await runCli(['status'], { RECOGNITION_DIR: changed });
    expect([status.code, status.stdout]).toEqual([1, expect.stringContaining('CHANGED')]);
  });
});

it('service with OCR indexes the text of images and scans, cited at its page', async () => {
  const service = await startService({ RECOGNITION_DIR: folder });
  expect(service.output()).toContain('OCR with eng+chi_sim@');
  const workspace = await makeWorkspace(service);
  for (const name of ['apes.png', 'station-zh.png', 'diary-scan.pdf', 'turned.jpg'])
    await cp(join(ROOT, 'test/golden/documents', name), join(workspace.root, name));
  await syncWorkspace(service, workspace.id);
  const found = async (question: string) => {
    const { body } = await service.call<Record<string, unknown>[]>(
      'GET',
      `/api/workspaces/${workspace.id}/search?q=${encodeURIComponent(question)}&k=1`,
    );
    return body[0];
  };
  for (const [question, path, page] of [
    ['glacier ninth of June', 'diary-scan.pdf', 2],
    ['harbour dogs', 'diary-scan.pdf', 1],
    ['apes in the evening', 'apes.png', 1],
    ['望远镜 修理', 'station-zh.png', 1],
    ['lighthouse keeper', 'turned.jpg', 1],
  ] as const) {
    const first = await eventually(
      () => found(question),
      (passage) => passage?.path === path,
    );
    expect(first).toMatchObject({ page, recognized: true });
  }
  await service.stop();
}, 300_000);
