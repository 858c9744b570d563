import type { Config } from '../config.ts';
import type { Secrets } from '../ports/secrets.ts';
import { secretsFile } from './disk/layout.ts';
import { diskSecrets } from './disk/secrets.ts';

/** The secret store, on the side that the configuration names. */
export function openSecrets(config: Config): Secrets {
  return diskSecrets(secretsFile(config));
}
