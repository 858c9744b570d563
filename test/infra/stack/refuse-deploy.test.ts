import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../..');
const serverless = join(root, 'node_modules/serverless/bin/serverless.js');
/** A fake of all AWS services, which refuses every call. */
const aws = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  response.writeHead(400).end();
});
let received: string[] = [];

beforeAll(() => once(aws.listen(0, '127.0.0.1'), 'listening'));
beforeEach(() => {
  received = [];
});
afterAll(() => void aws.close());

/** Runs the Framework as someone with credentials does, and returns its output. */
async function runServerless(...args: string[]): Promise<string> {
  const { port } = aws.address() as AddressInfo;
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
  };
  const run = promisify(execFile)(process.execPath, [serverless, ...args], { cwd: root, env });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

describe('npx serverless', () => {
  it.each([
    // With an existing package, the Framework would deploy it without packaging first.
    [['deploy', '--package', '.serverless'], 'npm run deploy -- --stage dev'],
    [['deploy', 'function', '--function', 'chat', '--stage', 'test'], 'npm run deploy -- --stage test'],
    [['remove', '--stage', 'test'], 'npm run remove -- --stage test'],
    [['rollback', '--timestamp', '1'], 'npm run deploy -- --stage dev'],
  ])('refuses %j before any request to AWS, and names the command to run', async (args, instead) => {
    expect(await runServerless(...args)).toContain(`Run this instead: ${instead}`);
    expect(received).toEqual([]);
  });

  it('sends requests of allowed commands to the endpoint of this test', async () => {
    await runServerless('info');
    expect(received).not.toEqual([]);
  });
});
