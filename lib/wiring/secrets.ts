import type { Config } from '../config.ts';
import type { Secrets } from '../ports/secrets.ts';

/** Opens the secret store that the configuration names. */
export async function openSecrets(config: Config): Promise<Secrets> {
  if (config.aws === undefined) {
    const [{ secretsFile }, { diskSecrets }] = await Promise.all([
      import('../adapters/disk/layout.ts'),
      import('../adapters/disk/secrets.ts'),
    ]);
    return diskSecrets(secretsFile(config));
  }
  const [{ secretsManagerClient }, { secretsManagerSecrets }] = await Promise.all([
    import('../adapters/secrets-manager/client.ts'),
    import('../adapters/secrets-manager/secrets.ts'),
  ]);
  return secretsManagerSecrets(secretsManagerClient(), config.aws.secretsPrefix);
}
