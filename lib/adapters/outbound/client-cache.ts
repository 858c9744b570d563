import type { ProviderSettings } from '../../config/models.ts';

type Settings = Pick<ProviderSettings, 'apiKey' | 'baseUrl' | 'guard'>;

/**
 * Caches one client, with its connections, per URL, key, and guard. Creates it, and loads its SDK, at first
 * use.
 */
export function cacheClients<Client>(make: (settings: Settings) => Promise<Client>) {
  const clients = new Map<string, Promise<Client>>();
  return (settings: Settings): Promise<Client> => {
    const key = JSON.stringify([settings.apiKey, settings.baseUrl, settings.guard]);
    const client = clients.get(key) ?? make(settings);
    clients.set(key, client);
    return client;
  };
}
