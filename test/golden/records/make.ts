/**
 * Makes the fixture of a release: records of every kind and every shape, as that release's own code wrote them.
 *
 *   npx node test/golden/records/make.ts COMMIT NAME        for example v1.1.0 1.1.0; five minutes
 *
 * The release is checked out beside this one and runs its own tests with a tap in its store of records. Of what it wrote a
 * few records of each shape are kept, and written again by its own adapters: as its SQLite file and as DynamoDB's items.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pickRecords } from './pick.ts';

const here = import.meta.dirname;
const repository = resolve(here, '../../..');
const [commit = '', name = ''] = process.argv.slice(2);
if (commit === '' || name === '') throw new Error('usage: make.ts COMMIT NAME');

const TAPPED = 'lib/adapters/sqlite/records.ts';
const SUITES = ['test/functions', 'test/lib', 'test/adapters/wecom'];

const checkout = mkdtempSync(join(tmpdir(), 'release-'));
const run = (program: string, args: string[], cwd = checkout) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
run('git', ['worktree', 'add', '--force', '--detach', checkout, commit], repository);
try {
  symlinkSync(join(repository, 'node_modules'), join(checkout, 'node_modules'));
  const written = join(checkout, 'written.jsonl');
  tap(written);
  runSuites();
  writeFileSync(join(checkout, 'picked.json'), JSON.stringify(pickRecords(readFileSync(written, 'utf8'))));
  copyFileSync(join(here, 'write-fixture.mjs'), join(checkout, 'lib/write-fixture.mjs'));
  run(process.execPath, ['lib/write-fixture.mjs', 'picked.json', join(here, `release-${name}`)]);
} finally {
  run('git', ['worktree', 'remove', '--force', checkout], repository);
  rmSync(checkout, { recursive: true, force: true });
}

/** Every record goes through this one function on its way into the file. */
function tap(written: string): void {
  const file = join(checkout, TAPPED);
  const source = readFileSync(file, 'utf8');
  const line = '  const json = checkRecord(record);\n';
  if (!source.includes(line)) throw new Error(`${TAPPED} writes its records elsewhere now: mend the tap`);
  const tapped = `  appendFileSync(${JSON.stringify(written)}, JSON.stringify(record) + '\\n');\n`;
  writeFileSync(file, `import { appendFileSync } from 'node:fs';\n${source.replace(line, line + tapped)}`);
}

/** A test that fails in a checkout, or on a busy machine, has written its records all the same. */
function runSuites(): void {
  if (existsSync(join(checkout, 'infra/local/build.ts')))
    run(process.execPath, ['infra/local/build.ts', '--quiet']);
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  try {
    run(process.execPath, [...flags, 'node_modules/jest/bin/jest.js', '--maxWorkers=2', ...SUITES]);
  } catch {
    console.error('some of its tests failed');
  }
}
