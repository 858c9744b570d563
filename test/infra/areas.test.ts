import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';

const project = resolve(import.meta.dirname, '../..');
const program = join(project, 'infra/areas.ts');

/** What the check says of a checkout with these files. */
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
  it('passes arrows that point down, and prints them', async () => {
    const { code, output } = await check({
      'lib/files/read.ts': LEAF,
      'lib/agent/begin.ts': uses('../files/read.ts'),
    });
    expect(output).toMatch(/^ {2}agent +→ files$/m);
    expect(output).toContain(' 0 circles of areas');
    expect(code).toBe(0);
  });

  it('refuses an upward arrow', async () => {
    const { code, output } = await check({
      'lib/agent/begin.ts': LEAF,
      'lib/files/read.ts': uses('../agent/begin.ts'),
    });
    expect(output).toMatch(/arrows-point-down-from-knowledge: lib\/files\/read\.ts → lib\/agent\/begin\.ts/);
    expect(code).toBe(1);
  });

  it('refuses an arrow to an area of the same storey', async () => {
    const { code, output } = await check({
      'lib/files/read.ts': LEAF,
      'lib/indexing/scan.ts': uses('../files/read.ts'),
    });
    expect(output).toContain('arrows-point-down-from-knowledge: lib/indexing/scan.ts → lib/files/read.ts');
    expect(code).toBe(1);
  });

  it('refuses a circle of areas whose files are in none', async () => {
    const { code, output } = await check({
      'lib/agent/begin.ts': LEAF,
      'lib/agent/end.ts': uses('../files/read.ts'),
      'lib/files/read.ts': LEAF,
      'lib/files/write.ts': uses('../agent/begin.ts'),
    });
    expect(output).toMatch(/a circle of areas: (agent → files → agent|files → agent → files)/);
    expect(code).toBe(1);
  });

  it('refuses an area that stands on no storey', async () => {
    const { code, output } = await check({ 'lib/attic/box.ts': LEAF, 'lib/files/read.ts': LEAF });
    expect(output).toContain('lib/attic stands on no storey of infra/storeys.json');
    expect(code).toBe(1);
  });
});

describe('the table of storeys in docs/architecture/overview.md', () => {
  it('names every area where it stands, the uppermost storey first', async () => {
    const storeys = JSON.parse(await readFile(join(project, 'infra/storeys.json'), 'utf8')) as {
      storey: string;
      areas: string[];
      is: string;
    }[];
    const rows = storeys
      .toReversed()
      .map(
        ({ storey, areas, is }) => `| ${storey} | ${areas.map((area) => `\`${area}\``).join(' ')} | ${is} |`,
      );
    expect(await readFile(join(project, 'docs/architecture/overview.md'), 'utf8')).toContain(rows.join('\n'));
  });
});
