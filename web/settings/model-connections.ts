import { useMutation, useQuery } from '@tanstack/react-query';
import type { paths, Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import type { Provider } from './provider-name.ts';

export type Connection = Schemas['ModelConnection'];
export type KindedModel = Schemas['KindedModel'];

type Body<Path extends keyof paths, Method extends 'put' | 'post'> = paths[Path] extends {
  [Each in Method]: { requestBody: { content: { 'application/json': infer Json } } };
}
  ? Json
  : never;
export type Connect = Body<'/api/settings/models/{provider}', 'put'>;
type Test = Body<'/api/settings/models/{provider}/test', 'post'>;

const KEY = ['model-connections'];

/** Returns the connections, only for global administrators. */
export function useConnections() {
  return useQuery({ queryKey: KEY, queryFn: () => take(api.GET('/api/settings/models')), retry: false });
}

/** Queries to refetch because they depend on a model, so that messages about a missing model disappear. */
const CHANGED = {
  rereads: [['settings'], ['models'], ['health']],
  stores: (connections: Schemas['ModelConnections']): [typeof KEY, unknown] => [KEY, connections],
  holdsSecret: true,
};

export function useConnect(provider: Provider) {
  const params = { path: { provider } };
  return useChange(CHANGED, (body: Connect) =>
    take(api.PUT('/api/settings/models/{provider}', { params, body })),
  );
}

export function useDisconnect(provider: Provider) {
  const params = { path: { provider } };
  return useChange(CHANGED, () => take(api.DELETE('/api/settings/models/{provider}', { params })));
}

/** Tests a connection. A failed test is a result, not an error. */
export function useTest(provider: Provider) {
  const params = { path: { provider } };
  return useMutation({
    mutationFn: (body: Test) => take(api.POST('/api/settings/models/{provider}/test', { params, body })),
    gcTime: 0, // the result contains a key
  });
}

/** Looks for local models each time this is opened, because people start and stop servers. */
export function useLocalModels() {
  return useQuery({
    queryKey: ['local-models'],
    queryFn: () => take(api.GET('/api/settings/local-models')),
    staleTime: 0,
    retry: false,
  });
}
