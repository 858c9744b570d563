import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';

afterAll(stop);

/** The packages that a bundle carries, built as functions are (serverless.yml). */
async function packagesOf(contents: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: resolve(import.meta.dirname, '../../..'),
    stdin: { contents, resolveDir: resolve(import.meta.dirname, '../../../lib/formats'), loader: 'ts' },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
  });
  const carried = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path]?.bytesInOutput !== 0),
  );
  const names = carried.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

const ENGINES = ['postal-mime', 'unpdf', 'yauzl'];

describe('a bundle', () => {
  it('that looks formats up carries no parser and no engine', async () => {
    const lookUp =
      "import { formatOf, readingFormat, formatOfDownload } from './all-formats.ts'; console.log(formatOf, readingFormat, formatOfDownload);";
    expect(await packagesOf(lookUp)).toEqual([]);
  });

  it('that quotes carries the parsers of markup, and no engine', async () => {
    const quote = "import { quotableRuns } from './quotable-runs.ts'; console.log(quotableRuns);";
    const carried = await packagesOf(quote);
    expect(carried).toContain('htmlparser2');
    for (const engine of ENGINES) expect(carried).not.toContain(engine);
  });

  it('that reads files carries the engines', async () => {
    const read = "import { extract } from './extract.ts'; console.log(extract);";
    expect(await packagesOf(read)).toEqual(expect.arrayContaining(['htmlparser2', ...ENGINES]));
  });
});
