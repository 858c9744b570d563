import { resolve } from 'node:path';
import { emulatorSettings } from '../support/emulator.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { type Deployed, STAGE } from './stack.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Creates the token like an operator, with the names of the deployed resources
 * (docs/deploy/aws-quickstart.md).
 */
export async function createFirstToken(stack: Deployed): Promise<string> {
  const { endpoint, region, credentials } = emulatorSettings('MINISTACK_URL');
  const env = {
    PATH: process.env.PATH,
    TABLE_NAME: stack.physicalId('Table'),
    BUCKET_NAME: stack.physicalId('Bucket'),
    SECRETS_PREFIX: `workspace-research/${STAGE}/`,
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  const args = ['infra/token.ts', 'create', '--name', 'first', '--role', 'admin'];
  const { code, stdout, stderr } = await runProgram(process.execPath, args, { env, cwd: ROOT });
  if (code !== 0) throw new Error(`npm run token failed:\n${stderr}`);
  return stdout.trim();
}
