import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import watcher from '@parcel/watcher';

/**
 * `npm run dev`: runs the service, which restarts when a source changes, and the console from Vite, which reloads in
 * the browser. If a mistake ends the service, the next change restarts it.
 */
const root = resolve(import.meta.dirname, '..');
const SOURCES = ['lib', 'functions', 'infra', 'skills'];
/** Milliseconds to wait for further changes, because an editor or git writes many files at once. */
const SETTLE_MS = 200;
const PORT = 5173;

if (existsSync('.env')) process.loadEnvFile('.env');
let service = startService();
let restarting: Promise<void> = Promise.resolve();
let settling: NodeJS.Timeout | undefined;

for (const folder of SOURCES)
  await watcher.subscribe(join(root, folder), () => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      restarting = restarting.then(restart);
    }, SETTLE_MS);
  });
const { createServer } = await import('vite');
const page = await createServer({
  configFile: join(root, 'web/vite.config.ts'),
  server: { port: PORT },
});
await page.listen();
page.printUrls();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());

/** Vite serves the console, so the service doesn't build it. */
function startService(): ChildProcess {
  const env = { ...process.env, CONSOLE: 'off' };
  return spawn(process.execPath, [join(root, 'infra/local/start.ts')], { cwd: root, env, stdio: 'inherit' });
}

async function restart(): Promise<void> {
  console.log('A source has changed: the service starts again.');
  await end(service);
  service = startService();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

async function stop(): Promise<void> {
  await Promise.all([end(service), page.close()]);
  process.exit();
}
