import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeDocsAssets } from './docs-assets.ts';

/**
 * `npm run package -- --stage NAME` makes the zips and the template in .serverless/, without network or credentials;
 * `npm run deploy -- --stage NAME` (the same with --deploy) brings them to AWS, `npm run remove` takes the stack away.
 */
const root = resolve(import.meta.dirname, '..');
/** The bundler's plugin waits for ever when a module cannot be resolved: packaging alone is given a time. */
const PACKAGE_TIMEOUT_MS = 5 * 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { stage: { type: 'string', default: 'dev' } },
});
const [command = 'package'] = positionals;
if (!['package', 'deploy', 'remove'].includes(command) || !/^[a-z][a-z0-9-]{0,19}$/.test(values.stage)) {
  console.error('usage: npm run package|deploy|remove -- [--stage NAME]   (a-z, 0-9 and -; at most 20)');
  process.exit(2);
}
placeFiles();
process.exitCode = await runServerless(command, values.stage);

/** What the zips hold besides code: LanceDB and ripgrep for Lambda's architecture, and the pages of the docs. */
function placeFiles(): void {
  // .esbuild too: what an earlier run left there would go into the zips.
  for (const folder of ['native', 'assets', '.serverless', '.esbuild']) {
    rmSync(join(root, folder), { recursive: true, force: true });
  }
  mkdirSync(join(root, 'native'));
  const [binary] = globSync('node_modules/@lancedb/lancedb-linux-x64-gnu/*.node', { cwd: root });
  if (binary === undefined) throw new Error('LanceDB for linux-x64 is not installed: run npm ci on Linux');
  copyFileSync(join(root, binary), join(root, 'native/lancedb.node'));
  strip(join(root, 'native/lancedb.node'));
  copyFileSync(join(root, 'node_modules/@vscode/ripgrep-linux-x64/bin/rg'), join(root, 'native/rg'));
  writeDocsAssets(join(root, 'assets'));
}

/** Without its symbols it is 168 MB instead of 202, and reads as much faster from a cold disk. */
function strip(library: string): void {
  const { error } = spawnSync('strip', ['--strip-unneeded', library]);
  if (error)
    console.warn('LanceDB is packaged with its symbols, 34 MB larger: `strip` (binutils) is not here');
}

async function runServerless(command: string, stage: string): Promise<number> {
  const binary = join(root, 'node_modules/.bin/serverless');
  const timeout = command === 'package' ? PACKAGE_TIMEOUT_MS : undefined;
  // The bundler's plugin copies every function, 1 GB in all, to where temporary files go, and leaves them.
  const temporary = mkdtempSync(join(tmpdir(), 'workspace-research-'));
  const env = { ...process.env, TMPDIR: temporary };
  const child = spawn(binary, [command, '--stage', stage], { cwd: root, stdio: 'inherit', timeout, env });
  const code = await new Promise<number>((done, failed) => {
    child.once('error', failed);
    // It may end well when it is told to end: what was cut short is no package.
    child.once('exit', (code) => done(child.killed ? 1 : (code ?? 1)));
  });
  rmSync(temporary, { recursive: true, force: true });
  return code;
}
