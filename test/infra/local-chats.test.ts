import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { startService } from '../support/service.ts';
import { tempFolder, whenDone } from '../support/temp-folder.ts';

const infra = resolve(import.meta.dirname, '../../infra');
const provider = await startFakeOpenai();
whenDone(() => provider.stop());

async function run(program: string, args: string[], dataDir: string) {
  const env = { PATH: process.env.PATH, TMPDIR: await tempFolder(), DATA_DIR: dataDir, AUTH_MODE: 'token' };
  return runProgram(process.execPath, [`${infra}/${program}`, ...args], { env, cwd: dataDir });
}

it('local chats are kept when the operator opens the host to a team', async () => {
  const model = { PROVIDER_A_BASE_URL: provider.url };
  const open = await startService(model);
  const { dataDir } = open;
  const { body } = await open.call<{ id: string }>('POST', '/api/workspaces', { path: 'owls' });
  const messages = [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'When do owls hunt?' }] }];
  await open.call('POST', '/api/chat', { workspaceId: body.id, id: 'my-chat', messages });
  await open.stop();

  expect((await run('doctor.ts', [], dataDir)).stdout).toMatch(
    /^note +access .* 1 conversation from the time without sign-in belongs to the user `local`\./m,
  );
  const others = await run('token.ts', ['create', '--name', 'ann', '--role', 'admin'], dataDir);
  expect(others.stderr).toContain('create your token with --continue-local');
  const mine = await run(
    'token.ts',
    ['create', '--name', 'me', '--role', 'admin', '--continue-local'],
    dataDir,
  );
  expect(mine.stderr).not.toContain('--continue-local');
  expect((await run('doctor.ts', [], dataDir)).stdout).toMatch(/^ok +access +API tokens/m);

  const closed = await startService({ ...model, DATA_DIR: dataDir, AUTH_MODE: 'token' });
  const read = (secret: string) =>
    closed.call('GET', '/api/conversations/my-chat', undefined, { authorization: `Bearer ${secret.trim()}` });
  expect((await read(mine.stdout)).status).toBe(200);
  expect((await read(others.stdout)).status).toBe(404);
}, 120_000);
