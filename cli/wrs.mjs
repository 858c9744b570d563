#!/usr/bin/env node
// `wrs` on any Node version. The program itself runs on the Node 24 that npm installs: TypeScript in a clone of the
// repository, JavaScript in the installed package.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const here = dirname(fileURLToPath(import.meta.url));
const program = ['main.mjs', 'main.ts'].map((name) => join(here, name)).find((path) => existsSync(path));

// Caches compiled code, so that a start is five times as fast. The cache is in the user's own folder, because
// it contains code.
process.env.NODE_COMPILE_CACHE ||= join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'wrs');

const version = Number.parseInt(process.versions.node, 10);
const installed = version === NEEDED ? undefined : findInstalled();
if (installed !== undefined) runOn(installed);
else if (version >= NEEDED) {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import(program);
} else {
  process.stderr.write(
    `wrs needs Node ${NEEDED}, which npm installs with its optional packages. Install it again.\n`,
  );
  process.exitCode = 1;
}

/** Returns npm's Node of this system: a package of its own, or in a clone of the repository the package `node`. */
function findInstalled() {
  const system = `${process.platform}-${process.arch}`;
  const { resolve } = module.createRequire(import.meta.url);
  for (const name of [`node-${system}`, `node-bin-${system}`, 'node']) {
    try {
      return resolve(`${name}/bin/node`);
    } catch {} // The next name may be installed.
  }
  return undefined;
}

function runOn(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both processes; the program handles it, and this process waits for that.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGHUP', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', ({ message }) => {
    process.stderr.write(`wrs can't start Node ${NEEDED} (${message}). Start it with Node ${NEEDED}.\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  });
}
