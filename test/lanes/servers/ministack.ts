import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findFreePort } from '../../../infra/free-port.ts';
import { installOnce } from '../../support/install-once.ts';
import { installPython } from './install.ts';
import { type Server, startProcess, temporaryFolder } from './process.ts';

const VERSION = '1.4.21';

/**
 * Starts MiniStack: SQS to Lambda mappings, schedules, EFS's API, CloudFormation. Runs functions with this
 * process's Node.
 */
export async function startMinistack(): Promise<Server> {
  const folder = await installMinistack();
  const temporary = await temporaryFolder('ministack');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { stop } = await startProcess({
    name: 'MiniStack',
    file: join(folder, 'bin/python'),
    args: [join(import.meta.dirname, 'ministack-retaining.py')],
    env: settings(port, temporary.path),
    healthUrl: `${url}/_ministack/health`,
  });
  return { url, stop: () => stop().finally(temporary.remove) };
}

/**
 * Plain MiniStack on a given port. It restores its state from `data` at its next start if it was stopped and
 * not killed.
 */
export async function startPersistentMinistack(port: number, data: string): Promise<Server> {
  const folder = await installMinistack();
  const url = `http://127.0.0.1:${port}`;
  await mkdir(join(data, 'tmp'), { recursive: true });
  const { stop } = await startProcess({
    name: 'MiniStack',
    file: join(folder, 'bin/python'),
    args: ['-m', 'ministack'],
    env: { ...settings(port, data), TMPDIR: join(data, 'tmp'), PERSIST_STATE: '1', S3_PERSIST: '1' },
    healthUrl: `${url}/_ministack/health`,
  });
  return { url, stop };
}

export async function installMinistack(): Promise<string> {
  return installOnce('ministack', VERSION, (aside) =>
    installPython(aside, '3.12', [`ministack==${VERSION}`]),
  );
}

/** By default, it listens on every interface. */
function settings(port: number, temporary: string): NodeJS.ProcessEnv {
  return {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: temporary,
    TMPDIR: temporary, // it unpacks functions there and doesn't remove them
    S3_DATA_DIR: join(temporary, 's3'),
    STATE_DIR: join(temporary, 'state'),
    BIND_HOST: '127.0.0.1',
    MINISTACK_HOST: '127.0.0.1', // otherwise queue URLs contain `localhost`
    GATEWAY_PORT: String(port),
    IOT_MTLS_ENABLED: '0',
    LOG_LEVEL: 'WARNING',
  };
}
