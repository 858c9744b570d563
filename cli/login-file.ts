import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Access } from './client.ts';
import { configFolder } from './places.ts';

/** Returns the path of the saved login: one service, with a token that only this user can read. */
function loginFile(): string {
  return join(configFolder(), 'login.json');
}

export async function readLogin(): Promise<Access | undefined> {
  const text = await readFile(loginFile(), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Access);
}

export async function saveLogin(login: Access): Promise<string> {
  await mkdir(configFolder(), { recursive: true, mode: 0o700 });
  const aside = `${loginFile()}.${process.pid}`;
  await writeFile(aside, JSON.stringify(login), { mode: 0o600 });
  await chmod(aside, 0o600); // a leftover file with the same name had its own mode
  await rename(aside, loginFile());
  return loginFile();
}

/** Deletes the saved login; returns whether there was a saved login. */
export async function removeLogin(): Promise<boolean> {
  if ((await readLogin()) === undefined) return false;
  await rm(loginFile(), { force: true });
  return true;
}
