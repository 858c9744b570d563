#!/usr/bin/env node
// `wrs` on any Node version. The program itself is TypeScript and runs on the Node 24 that npm installs.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, 'main.ts');
const installed = join(here, '../node_modules/node/bin/node');

// Caches compiled code, so that a start is five times as fast. In the user's own folder, because it is code.
process.env.NODE_COMPILE_CACHE ||= join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'wrs');

if (Number.parseInt(process.versions.node, 10) >= 24) {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import(program);
} else if (existsSync(installed)) runOn(installed);
else {
  process.stderr.write('wrs needs Node 24, which npm brings: run `npm ci` where wrs lies\n');
  process.exitCode = 1;
}

function runOn(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both processes; the program handles it, and this process waits for that.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGHUP', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  });
}
