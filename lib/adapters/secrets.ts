import type { Config } from '../config.ts';
import type { Secrets } from '../ports/secrets.ts';

/** The secret store, on the side that the configuration names. */
export async function openSecrets(config: Config): Promise<Secrets> {
  if (config.aws === undefined) {
    const [{ secretsFile }, { diskSecrets }] = await Promise.all([
      import('./disk/layout.ts'),
      import('./disk/secrets.ts'),
    ]);
    return diskSecrets(secretsFile(config));
  }
  const [{ secretsManagerClient }, { secretsManagerSecrets }] = await Promise.all([
    import('./secrets-manager/client.ts'),
    import('./secrets-manager/secrets.ts'),
  ]);
  return secretsManagerSecrets(secretsManagerClient(), config.aws.secretsPrefix);
}
