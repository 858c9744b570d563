import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import { toArchive } from '../../../../lib/research/result/archive.ts';
import { makeHostileReport } from '../../../support/research-reports.ts';

async function entriesOf(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(archive, { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, Buffer.concat(await Array.fromAsync(await zip.openReadStreamPromise(entry))));
  return entries;
}

it('report archive lists the hash of each file, and the quotes without a passage', async () => {
  const report = makeHostileReport();
  const [cited] = report.sections.flatMap(({ paragraphs }) =>
    paragraphs.flat().flatMap((one) => one.evidence),
  );
  const extract = { fileHash: 'a'.repeat(64), text: 'Before. Quote. After.', firstLine: 3, start: 8 };
  const files = await entriesOf(toArchive(report, new Map([[cited ?? '', extract]])));
  const manifest = String(files.get('manifest-sha256.txt')).trimEnd().split('\n');
  files.delete('manifest-sha256.txt');
  expect(manifest).toEqual(
    [...files].map(([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}`),
  );
  const { evidence } = JSON.parse(String(files.get('report.json')));
  const own = evidence.find(({ id }: { id: string }) => id === cited);
  expect(String(files.get(own.extract.file))).toBe(extract.text);
  expect(evidence.filter(({ extract }: { extract: unknown }) => extract === null)).toHaveLength(
    evidence.length - 1,
  );
});
