import { randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from '@jest/globals';
import { secretsManagerSecrets } from '../../lib/adapters/secrets-manager/secrets.ts';
import { describeSecrets } from '../contract/secrets.contract.ts';
import { closing, emulatorSettings } from '../support/emulator.ts';

const MINUTE = 60_000;

describe.each(['LOCALSTACK_URL', 'MINISTACK_URL'] as const)('AWS emulator at %s', (emulator) => {
  const client = closing(new SecretsManagerClient(emulatorSettings(emulator)));
  let now = Date.now();
  const clock = { now: () => now };
  const newPrefix = () => `test/${randomUUID()}/`;

  describeSecrets(
    'Secrets Manager',
    async () => {
      const prefix = newPrefix();
      return [secretsManagerSecrets(client, prefix, clock), secretsManagerSecrets(client, prefix, clock)];
    },
    () => {
      now += 6 * MINUTE;
    },
  );

  describe('secretsManagerSecrets', () => {
    const open = async () => {
      const SecretId = `${newPrefix()}token`;
      await client.send(new CreateSecretCommand({ Name: SecretId, SecretString: 'one' }));
      const secrets = secretsManagerSecrets(client, SecretId.slice(0, -'token'.length), clock);
      const rotate = (SecretString: string) =>
        client.send(new PutSecretValueCommand({ SecretId, SecretString }));
      return { secrets, rotate, SecretId };
    };

    it('returns a rotated secret after five minutes without other requests', async () => {
      const { secrets, rotate } = await open();
      expect(await secrets.get('token')).toBe('one');
      await rotate('two');
      now += 5 * MINUTE - 1;
      expect(await secrets.get('token')).toBe('one');
      now += 1;
      expect(await secrets.get('token')).toBe('two');
    });

    it('returns a secret that was added after half a minute', async () => {
      const prefix = newPrefix();
      const secrets = secretsManagerSecrets(client, prefix, clock);
      expect(await secrets.get('late')).toBeUndefined();
      await client.send(new CreateSecretCommand({ Name: `${prefix}late`, SecretString: 'v' }));
      expect(await secrets.get('late')).toBeUndefined();
      now += 300_000;
      expect(await secrets.get('late')).toBe('v');
    });

    it('treats a secret that is scheduled for deletion as absent', async () => {
      const { secrets, SecretId } = await open();
      await client.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 }));
      expect(await secrets.get('token')).toBeUndefined();
    });

    it('returns its own write immediately, even during a read', async () => {
      const { secrets } = await open();
      const reading = secrets.get('token');
      await secrets.set('token', 'new');
      await reading;
      expect(await secrets.get('token')).toBe('new');
      await secrets.set('token', null);
      expect(await secrets.get('token')).toBeUndefined();
      await secrets.set('token', 'again');
      expect(await secrets.get('token')).toBe('again');
    });

    it('does not cache a failure', async () => {
      const { secrets } = await open();
      const { send } = client;
      client.send = () => Promise.reject(new Error('down'));
      await expect(secrets.get('token')).rejects.toThrow('down');
      client.send = send;
      expect(await secrets.get('token')).toBe('one');
    });
  });
});
