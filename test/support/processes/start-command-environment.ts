import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { whenDone } from '../temp-folder.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
/**
 * Creates a separate user environment with an empty /tmp and /dev/shm, and no other processes, like a Lambda
 * environment.
 */
const APART = [
  ...['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--ipc'],
  ...['/bin/sh', '-ec'],
];
const MAKE = `
mount --bind "$REPOSITORY" /mnt
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /dev/shm
for way in unshare bwrap; do
  if place=$(command -v $way); then mount --bind /dev/null "$place"; fi
done
cd /mnt
unset REPOSITORY
exec functions/commands/without-credentials "$@"
`;

/** Returns whether this host allows creating one. */
export function canStartEnvironments(): boolean {
  return spawnSync('unshare', [...APART, 'mount -t tmpfs tmpfs /tmp']).status === 0;
}

export interface CommandEnvironmentProcess {
  pid: number;
  handle(event: unknown, context: { tenantId?: string }): Promise<unknown>;
}

/**
 * Starts an environment of the deployed command function, with its handler started as in Lambda, with the
 * credentials that Lambda puts into the environment, and without a sandbox inside.
 */
export async function startCommandEnvironment(
  env: Record<string, string> = {},
): Promise<CommandEnvironmentProcess> {
  // This repository, and its Node, may be in the hidden folder.
  const node = process.execPath.replace(`${REPOSITORY}/`, '/mnt/');
  const program = [node, '/mnt/test/support/processes/command-environment.ts'];
  const child = spawn('unshare', [...APART, MAKE, 'sh', ...program], {
    env: {
      PATH: process.env.PATH,
      AWS_LAMBDA_FUNCTION_NAME: 'commands',
      REPOSITORY,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  whenDone(async () => void child.kill('SIGKILL'));
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<void>();
  child.once('exit', (code) => {
    const ended = new Error(`the environment ended (${code})`);
    ready.reject(ended);
    for (const { reject } of waiting.values()) reject(ended);
  });
  child.on('message', (message: { id?: number; answer?: unknown; error?: string }) => {
    if (message.id === undefined) return ready.resolve();
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) call?.resolve(message.answer);
    else call?.reject(new Error(message.error));
  });
  await ready.promise;
  let latest = 0;
  return {
    pid: child.pid ?? 0,
    handle(event, context) {
      const call = Promise.withResolvers<unknown>();
      waiting.set(++latest, call);
      child.send({ id: latest, event, context });
      return call.promise;
    },
  };
}
