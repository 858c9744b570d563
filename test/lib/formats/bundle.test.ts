import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';
import { tempFolder } from '../../support/temp-folder.ts';
import { goldenPath } from './samples.ts';

const run = promisify(execFile);

afterAll(stop);

/** Builds a bundle as the functions are built (serverless.yml). */
function bundle(contents: string, outdir?: string) {
  return build({
    absWorkingDir: resolve(import.meta.dirname, '../../..'),
    stdin: { contents, resolveDir: resolve(import.meta.dirname, '../../../lib/formats'), loader: 'ts' },
    bundle: true,
    splitting: true,
    write: outdir !== undefined,
    metafile: true,
    outdir: outdir ?? 'out',
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
}

/** Returns the packages in a bundle. */
async function packagesOf(contents: string): Promise<string[]> {
  const { metafile } = await bundle(contents);
  const carried = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path]?.bytesInOutput !== 0),
  );
  const names = carried.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

const ENGINES = ['numfmt', 'postal-mime', 'unpdf', 'yauzl'];

describe('function bundle', () => {
  it('contains no parser and no engine if it only looks up formats', async () => {
    const lookUp =
      "import { formatOf, readingFormat, formatOfDownload } from './all-formats.ts'; console.log(formatOf, readingFormat, formatOfDownload);";
    expect(await packagesOf(lookUp)).toEqual([]);
  });

  it('contains the parsers of markup, but no engine, if it quotes', async () => {
    const quote = "import { quotableRuns } from './quotable-runs.ts'; console.log(quotableRuns);";
    const carried = await packagesOf(quote);
    expect(carried).toContain('htmlparser2');
    for (const engine of ENGINES) expect(carried).not.toContain(engine);
  });

  it('contains the engines if it reads files', async () => {
    const read = "import { extract } from './extract.ts'; console.log(extract);";
    expect(await packagesOf(read)).toEqual(expect.arrayContaining(['htmlparser2', ...ENGINES]));
  });

  it('decodes with each engine as the source does', async () => {
    const folder = await tempFolder();
    await bundle("export { decoders } from './all-decoders.ts';", folder);
    const program = `
      import { readFileSync } from 'node:fs';
      import { decoders } from ${JSON.stringify(join(folder, 'stdin.mjs'))};
      const decode = async (format, path) => (await decoders[format](readFileSync(path))).text.includes('Apes');
      const files = process.argv.slice(1).map((path) => decode(path.endsWith('eml') ? 'mail' : path.split('.').at(-1), path));
      console.log(JSON.stringify(await Promise.all(files)));`;
    const paths = ['docx', 'eml'].map((kind) => goldenPath(`apes.${kind}`));
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program, ...paths]);
    expect(JSON.parse(stdout)).toEqual([true, true]);
  });
});
