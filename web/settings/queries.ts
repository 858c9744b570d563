import { useQuery } from '@tanstack/react-query';
import type { paths, Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import type { Provider } from './provider-name.ts';

export type Settings = Schemas['Settings'];
export type SettingsChange = paths['/api/settings']['put']['requestBody']['content']['application/json'];

/** Returns the service's settings, only for callers who may see them; others work without them. */
export function useSettings() {
  return useQuery({ queryKey: ['settings'], queryFn: () => take(api.GET('/api/settings')), retry: false });
}

/** Changes settings. `notInForce` in the response names saved values that the environment overrides. */
export function useChangeSettings() {
  return useChange(
    {
      rereads: [['health'], ['workspace-settings']],
      stores: ({ notInForce: _, ...settings }) => [['settings'], settings],
      holdsSecret: true,
    },
    (body: SettingsChange) => take(api.PUT('/api/settings', { body })),
  );
}

/** Fetches the provider's models from the provider itself, which may be unavailable. */
export function useModels(provider: Provider | undefined) {
  return useQuery({
    queryKey: ['models', provider],
    queryFn: () => take(api.GET('/api/models', { params: { query: provider ? { provider } : {} } })),
    enabled: provider !== undefined,
    staleTime: 60_000,
    retry: false,
  });
}

export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: () => take(api.GET('/api/health')),
    staleTime: 30_000,
  });
}
