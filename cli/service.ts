import type { ChildProcess } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopbackUrl } from '../lib/api-contract/loopback.ts';
import { type Access, createClient, requireUrl } from './client.ts';
import { START_MS, startEmbedded } from './embedded.ts';
import { readLogin } from './login-file.ts';
import { dataFolder } from './places.ts';
import { clearProgress, showProgress } from './terminal.ts';

/** Milliseconds within which a running service must respond. */
const LOOK_MS = 2000;
/** Milliseconds between two looks at a service that is starting. */
const START_LOOK_MS = 200;

export interface ServiceAccess extends Access {
  /**
   * How the service was found. `named`: by option, variable, or login; `found`: runs over the user's data
   * folder; `own`: started for this call.
   */
  kind: 'named' | 'found' | 'own';
  /** True if the service sees this host's files. */
  isHere: boolean;
  stop(): Promise<void>;
}

const nothing = async () => {};

/**
 * Returns the service to use: the one named by `--url`, WRS_URL, or a login; otherwise one that runs over the
 * user's data folder; otherwise one started only for this call, for which `folder` may become a workspace.
 */
export async function openService(url: string | undefined, folder?: string): Promise<ServiceAccess> {
  const named = await findNamed(url);
  if (named !== undefined)
    return { ...named, kind: 'named', isHere: isLoopbackUrl(named.url), stop: nothing };
  const running = await findRunning();
  if (running !== undefined) return { ...running, kind: 'found', isHere: true, stop: nothing };
  return startOwn(folder);
}

export async function startOwn(folder?: string): Promise<ServiceAccess> {
  showProgress('Starting the service …');
  const embedded = await startEmbedded(folder).finally(clearProgress);
  return { ...embedded, kind: 'own', isHere: true };
}

/** Returns the named service. A token is sent only to the URL that it belongs to, such as a login's URL. */
async function findNamed(option: string | undefined): Promise<Access | undefined> {
  const login = await readLogin();
  const url = option ?? (process.env.WRS_URL || login?.url);
  if (url === undefined) return undefined;
  requireUrl(url);
  const isOfLogin = login !== undefined && new URL(url).origin === new URL(login.url).origin;
  return { url, token: process.env.WRS_TOKEN || (isOfLogin ? login.token : undefined) };
}

/**
 * Finds the service whose host wrote its URL into the data folder. A killed host leaves the file, so the service is
 * called. Without its token, the service can't be used. Another process may listen on that port by now, or another user
 * may have written the file, so another user's process gets neither the token nor a request.
 */
export async function findRunning(): Promise<Access | undefined> {
  const written = await readAddress(join(dataFolder(), 'address.json'));
  if (written === undefined || !isOurs(written.pid)) return undefined;
  const access = { url: written.url, token: process.env.WRS_TOKEN || undefined };
  const { call } = createClient(access, AbortSignal.timeout(LOOK_MS));
  return call((api) => api.GET('/api/workspaces', { params: { query: { limit: 1 } } })).then(
    () => access,
    () => undefined,
  );
}

/** Returns the URL of a service that is starting over the user's data folder; undefined if it ends, or takes too long. */
export async function waitForService(child: ChildProcess): Promise<string | undefined> {
  for (const until = Date.now() + START_MS; Date.now() < until && child.exitCode === null; ) {
    const written = await readAddress(join(dataFolder(), 'address.json'));
    if (written !== undefined && written.pid === child.pid) return written.url;
    await sleep(START_LOOK_MS);
  }
  return undefined;
}

/** Reads the address file; undefined if there is none, or another user wrote it. */
async function readAddress(file: string): Promise<{ url: string; pid: number } | undefined> {
  try {
    const { uid } = await stat(file);
    const { url, pid } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    const isOwn = process.getuid === undefined || uid === process.getuid();
    if (!isOwn || typeof url !== 'string' || !URL.canParse(url) || !Number.isInteger(pid)) return undefined;
    return { url, pid: Number(pid) };
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the process is alive and this process may signal it, which excludes processes of other
 * users.
 */
function isOurs(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
