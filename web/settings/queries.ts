import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';
import type { paths, Schemas } from '../api/schema.ts';
import type { Provider } from './provider-name.ts';

export type Settings = Schemas['Settings'];
export type SettingsChange = paths['/api/settings']['put']['requestBody']['content']['application/json'];

/** Only for callers who may see the service's settings; others work without them. */
export function useSettings() {
  return useQuery({ queryKey: ['settings'], queryFn: () => take(api.GET('/api/settings')), retry: false });
}

/** Its response names in `notInForce` the saved values that the environment overrides. */
export function useChangeSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingsChange) => take(api.PUT('/api/settings', { body })),
    onSuccess: async ({ notInForce: _, ...settings }) => {
      queries.setQueryData(['settings'], settings);
      await queries.invalidateQueries({ queryKey: ['health'] });
    },
    gcTime: 0, // what was sent may hold a secret
  });
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
