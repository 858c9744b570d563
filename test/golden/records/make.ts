/**
 * Makes the fixture of a release: records of every kind and every shape, as that release's own code wrote them.
 *
 *   npx node test/golden/records/make.ts COMMIT NAME        for example v1.1.0 1.1.0; half an hour
 *
 * The release is checked out next to this one and runs its own tests with a recorder in its record store. A few of the
 * recorded records of each shape are kept, and written again by its own adapters: as its SQLite file and as DynamoDB's items.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pickObjects, pickRecords } from './pick.ts';

const here = import.meta.dirname;
const repository = resolve(here, '../../..');
const [commit = '', name = ''] = process.argv.slice(2);
if (commit === '' || name === '') throw new Error('usage: make.ts COMMIT NAME');

/** All writes go through these functions: into the file of records, and into the folder of objects. */
const TAPS = [
  {
    file: 'lib/adapters/sqlite/records.ts',
    after: '  const json = checkRecord(record);\n',
    writes: 'records.jsonl',
    what: 'JSON.stringify(record)',
  },
  {
    file: 'lib/adapters/disk/objects.ts',
    after: '  body: Uint8Array | Readable | AsyncIterable<Uint8Array>,\n): Promise<void> {\n',
    writes: 'objects.jsonl',
    what: 'JSON.stringify(body instanceof Uint8Array ? { key, body: String(body) } : { key, body: null })',
  },
];
const SUITES = ['test/functions', 'test/lib', 'test/adapters/wecom'];
/** The suites of test:slow run too, except those that repeat the same records many times. */
const REPEATING = ['/node_modules/', 'kill', 'hostile', 'random-'];

const checkout = mkdtempSync(join(tmpdir(), 'release-'));
const run = (program: string, args: string[], cwd = checkout) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
run('git', ['worktree', 'add', '--force', '--detach', checkout, commit], repository);
try {
  // Sandboxed programs may read through one link, not through several.
  symlinkSync(realpathSync(join(repository, 'node_modules')), join(checkout, 'node_modules'));
  for (const tap of TAPS) openTap(tap);
  runSuites();
  const [records, objects] = TAPS.map(({ writes }) => readFileSync(join(checkout, writes), 'utf8'));
  writeFileSync(join(checkout, 'picked.json'), JSON.stringify(pickRecords(records ?? '')));
  copyFileSync(join(here, 'write-fixture.mjs'), join(checkout, 'lib/write-fixture.mjs'));
  run(process.execPath, ['lib/write-fixture.mjs', 'picked.json', join(here, `release-${name}`)]);
  writeFileSync(join(here, `release-${name}`, 'objects.jsonl'), pickObjects(objects ?? ''));
} finally {
  run('git', ['worktree', 'remove', '--force', checkout], repository);
  rmSync(checkout, { recursive: true, force: true });
}

function openTap({ file, after, writes, what }: (typeof TAPS)[number]): void {
  const place = join(checkout, file);
  const source = readFileSync(place, 'utf8');
  if (!source.includes(after)) throw new Error(`${file} writes elsewhere now: move the tap`);
  const line = `  appendFileSync(${JSON.stringify(join(checkout, writes))}, ${what} + '\\n');\n`;
  const tapped = source.replace(after, () => after + line);
  writeFileSync(place, `import { appendFileSync } from 'node:fs';\n${tapped}`);
}

/** A test that fails in a checkout, or on a busy host, has still written its records. */
function runSuites(): void {
  if (existsSync(join(checkout, 'infra/local/build.ts')))
    run(process.execPath, ['infra/local/build.ts', '--quiet']);
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  try {
    run(process.execPath, [
      ...[...flags, 'node_modules/jest/bin/jest.js', '--maxWorkers=2', ...SUITES],
      ...['--testPathIgnorePatterns', ...REPEATING],
    ]);
  } catch {
    console.error('some of its tests failed');
  }
}
