import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';

const project = resolve(import.meta.dirname, '../..');
const program = join(project, 'infra/areas.ts');

/** Returns the output of the check for a checkout with these files. */
async function check(files: Record<string, string>): Promise<{ code: number; output: string }> {
  const root = await tempFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return promisify(execFile)(process.execPath, [program, root], { cwd: project }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, output: stdout }),
  );
}

const LEAF = 'export const leaf = 1;\n';
const uses = (place: string) => `import { leaf } from '${place}';\nexport const twig = leaf;\n`;

describe('infra/areas.ts', () => {
  it('accepts imports of lower layers, and prints them', async () => {
    const { code, output } = await check({
      'lib/files/read.ts': LEAF,
      'lib/agent/begin.ts': uses('../files/read.ts'),
    });
    expect(output).toMatch(/^ {2}agent +→ files$/m);
    expect(output).toContain(' 0 cycles of areas');
    expect(code).toBe(0);
  });

  it('rejects an import of a higher layer', async () => {
    const { code, output } = await check({
      'lib/agent/begin.ts': LEAF,
      'lib/files/read.ts': uses('../agent/begin.ts'),
    });
    expect(output).toMatch(/domain-imports-only-lower-layers: lib\/files\/read\.ts → lib\/agent\/begin\.ts/);
    expect(code).toBe(1);
  });

  it('rejects an import of another area in the same layer', async () => {
    const { code, output } = await check({
      'lib/files/read.ts': LEAF,
      'lib/indexing/scan.ts': uses('../files/read.ts'),
    });
    expect(output).toContain('domain-imports-only-lower-layers: lib/indexing/scan.ts → lib/files/read.ts');
    expect(code).toBe(1);
  });

  it('accepts an import that an exception lists, but no other import of that file', async () => {
    const named = await check({
      'lib/datasets/list.ts': LEAF,
      'lib/files/read.ts': uses('../datasets/list.ts'),
    });
    expect(named.output).not.toMatch(/^ *error /m);
    expect(named.code).toBe(0);
    const other = await check({ 'lib/papers/list.ts': LEAF, 'lib/files/read.ts': uses('../papers/list.ts') });
    expect(other.output).toContain(
      'domain-imports-only-lower-layers: lib/files/read.ts → lib/papers/list.ts',
    );
  });

  it('rejects a cycle of areas without a cycle of files', async () => {
    const { code, output } = await check({
      'lib/agent/begin.ts': LEAF,
      'lib/agent/end.ts': uses('../files/read.ts'),
      'lib/files/read.ts': LEAF,
      'lib/files/write.ts': uses('../agent/begin.ts'),
    });
    expect(output).toMatch(/a cycle of areas: (agent → files → agent|files → agent → files)/);
    expect(code).toBe(1);
  });

  it.each(['../errors.ts', '../access/caller.ts', 'node:fs', 'zod'])(
    'rejects an import of %s in the API contract',
    async (place) => {
      const { code, output } = await check({
        'lib/errors.ts': LEAF,
        'lib/access/caller.ts': LEAF,
        'lib/api-contract/roles.ts': uses(place),
      });
      expect(output).toContain('the-api-contract-imports-nothing-else: lib/api-contract/roles.ts → ');
      expect(code).toBe(1);
    },
  );

  it('accepts imports of the API contract in the command line, and of no other area', async () => {
    const good = await check({
      'lib/api-contract/roles.ts': LEAF,
      'cli/token.ts': uses('../lib/api-contract/roles.ts'),
    });
    expect(good.code).toBe(0);
    const bad = await check({
      'lib/access/caller.ts': LEAF,
      'cli/token.ts': uses('../lib/access/caller.ts'),
    });
    expect(bad.output).toContain('the-command-line-is-a-client: cli/token.ts → lib/access/caller.ts');
    expect(bad.code).toBe(1);
  });

  it('rejects an area without a layer', async () => {
    const { code, output } = await check({ 'lib/attic/box.ts': LEAF, 'lib/files/read.ts': LEAF });
    expect(output).toContain('lib/attic is in no layer of infra/layers.json');
    expect(code).toBe(1);
  });
});

describe('table of layers in docs/architecture/overview.md', () => {
  it('lists every area in its layer, the highest layer first', async () => {
    const { layers } = JSON.parse(await readFile(join(project, 'infra/layers.json'), 'utf8')) as {
      layers: { layer: string; areas: string[]; purpose: string }[];
    };
    const rows = layers
      .toReversed()
      .map(
        ({ layer, areas, purpose }) =>
          `| ${layer} | ${areas.map((area) => `\`${area}\``).join(' ')} | ${purpose} |`,
      );
    expect(await readFile(join(project, 'docs/architecture/overview.md'), 'utf8')).toContain(rows.join('\n'));
  });
});
