import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { diskObjects } from '../../../../lib/adapters/disk/objects.ts';
import { previewDataset } from '../../../../lib/datasets/manifest/preview.ts';
import type { Dataset, Manifest } from '../../../../lib/datasets/schema.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const folder = await tempFolder();
const objects = diskObjects(join(folder, 'objects'), () => Promise.reject(new Error('no uploads here')));
let made = 0;

/** Returns a dataset of one split, in the order of its files, whose number of rows is unknown. */
async function datasetOf(files: Record<string, string>): Promise<Dataset> {
  const localPath = join(folder, `data-${++made}`);
  await mkdir(localPath);
  for (const [path, text] of Object.entries(files)) await writeFile(join(localPath, path), text);
  const listed = Object.keys(files).map((path) => {
    return { path, format: 'csv', sizeBytes: 1, rows: null, sha256: null };
  });
  const train = { files: listed, numFiles: listed.length, numRows: null };
  const manifest: Manifest = { version: 1, commit: null, splits: { train } };
  const manifestKey = `manifest-${made}`;
  await objects.put(manifestKey, Buffer.from(JSON.stringify(manifest)));
  const known = { id: manifestKey, status: 'ready', source: 'local', localPath, manifestKey };
  return known as Dataset; // the rest of a record is not read
}

/** A header that takes a parser many minutes, because each name is looked up among all previous ones. */
const SLOW = `${'a,'.repeat(500_000)}a\n1\n`;

describe('preview of several files', () => {
  it('shows the files that are read in time, and lists the others', async () => {
    // Starts the reader's process, without a limit.
    await previewDataset(objects, await datasetOf({ 'a.csv': 'n\n1\n' }), { n: 1 });
    const dataset = await datasetOf({ 'a.csv': 'n\n1\n2\n', 'b.csv': SLOW, 'c.csv': 'n\n3\n' });
    const { rows, columns, notices } = await previewDataset(objects, dataset, { n: 10 }, 5000);
    expect([rows, columns]).toEqual([[{ n: '1' }, { n: '2' }], [{ name: 'n', type: 'integer' }]]);
    expect(notices).toEqual([
      'b.csv and the rows after it are not shown. Not everything could be read within 5 s.',
    ]);
  });

  it('reports nothing if all requested rows are shown', async () => {
    const dataset = await datasetOf({ 'a.csv': 'n\n1\n2\n', 'b.csv': SLOW });
    expect((await previewDataset(objects, dataset, { n: 2 })).notices).toEqual([]);
  });

  it('opens twenty files, and reports that there are more', async () => {
    const many = Array.from({ length: 22 }, (_, at) => [`${String(at).padStart(2, '0')}.csv`, 'n\n1\n']);
    const { rows, notices } = await previewDataset(objects, await datasetOf(Object.fromEntries(many)), {
      n: 50,
    });
    expect(rows).toHaveLength(20);
    expect(notices).toEqual([
      '20.csv and the rows after it are not shown. At most 20 files are read at once.',
    ]);
  });

  it('reports that long rows are fewer than requested', async () => {
    const row = `${'x'.repeat(9000)}\n`;
    const dataset = await datasetOf({ 'a.csv': `n\n${row.repeat(1000)}` });
    const { rows, notices } = await previewDataset(objects, dataset, { n: 1000 });
    expect(rows.length).toBeLessThan(1000);
    expect(notices).toEqual(['The rows are long, so fewer are shown than requested.']);
  });
});
