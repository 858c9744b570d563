import type { Config } from '../config.ts';
import type { Web, WebhookPost } from '../ports/web.ts';

/** Opens the public internet, through the configured proxies. */
export async function openWeb({ proxy }: Config): Promise<Web & WebhookPost> {
  const { undiciWeb } = await import('../adapters/web/fetch.ts');
  return undiciWeb({ proxy });
}
