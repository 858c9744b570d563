import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connect } from '../../../infra/stack/connect.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CONFIG = `[profile other]
aws_access_key_id = key-of-profile
aws_secret_access_key = secret-of-profile
`;
/** Prints its credentials, as a CLI does that prefers keys to a profile. */
const CLI = `#!/bin/sh
echo "$AWS_ACCESS_KEY_ID $AWS_SECRET_ACCESS_KEY \${AWS_SESSION_TOKEN-none}"
`;
const KEYS = {
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'token',
};
const before = { ...process.env };

beforeEach(async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, 'config'), CONFIG);
  await writeFile(join(folder, 'aws'), CLI);
  await chmod(join(folder, 'aws'), 0o755);
  process.env.PATH = folder + delimiter + process.env.PATH;
  process.env.AWS_CONFIG_FILE = join(folder, 'config');
  process.env.AWS_SHARED_CREDENTIALS_FILE = join(folder, 'none');
});
afterEach(() => {
  process.env = { ...before };
  jest.restoreAllMocks();
});

describe('connect', () => {
  it.each([
    ['the keys', KEYS, 'key secret token'],
    ['the profile', { AWS_PROFILE: 'other' }, 'key-of-profile secret-of-profile none'],
    [
      'the profile, with keys too',
      { ...KEYS, AWS_PROFILE: 'other' },
      'key-of-profile secret-of-profile none',
    ],
  ])('checks the account to which it deploys: %s', async (_, environment, expected) => {
    Object.assign(process.env, environment);
    jest.spyOn(console, 'warn').mockReturnValue(); // the SDK warns about two sources
    const { ask, ...clients } = connect('eu-west-1');
    expect(await ask?.(['sts', 'get-caller-identity'])).toBe(expected);
    for (const client of Object.values(clients)) {
      const { accessKeyId } = await (client as typeof clients.s3).config.credentials();
      expect(expected).toContain(`${accessKeyId} `);
    }
  });
});
