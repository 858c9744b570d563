import { useQuery } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';

/** Only for who may see the service's own settings: others get along without them. */
export function useSettings() {
  return useQuery({ queryKey: ['settings'], queryFn: () => take(api.GET('/api/settings')), retry: false });
}

export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: () => take(api.GET('/api/health')),
    staleTime: 30_000,
  });
}
