interface Settings {
  apiKey?: string;
  baseUrl?: string;
}

/** One client, with its connections, for each address and key. Made, and its SDK loaded, at the first use. */
export function cacheClients<Client>(make: (settings: Settings) => Promise<Client>) {
  const clients = new Map<string, Promise<Client>>();
  return (settings: Settings): Promise<Client> => {
    const key = JSON.stringify([settings.apiKey, settings.baseUrl]);
    const client = clients.get(key) ?? make(settings);
    clients.set(key, client);
    return client;
  };
}
