import { resolve } from 'node:path';
import { runProgram } from './processes/run-program.ts';
import type { Service } from './service.ts';

const TOKEN_COMMAND = resolve(import.meta.dirname, '../../infra/token.ts');

export interface TestCaller {
  /** The token's ID, by which the service identifies the caller. */
  id: string;
  headers: Record<string, string>;
  call: Service['call'];
}

/** Creates a caller with a token, like an administrator; `more` are further arguments of the command. */
export async function makeCaller(service: Service, role: string, ...more: string[]): Promise<TestCaller> {
  const args = [TOKEN_COMMAND, 'create', '--name', `a ${role}`, '--role', role, ...more];
  const env = { PATH: process.env.PATH, DATA_DIR: service.dataDir };
  const { stdout, stderr } = await runProgram(process.execPath, args, { env, cwd: service.dataDir });
  const id = /^Token (\S+)/m.exec(stderr)?.[1];
  if (id === undefined) throw new Error(`no token: ${stderr}`);
  const headers = { authorization: `Bearer ${stdout.trim()}` };
  return { id, headers, call: (method, path, body) => service.call(method, path, body, headers) };
}
