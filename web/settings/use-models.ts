import { useQuery } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';

/** Returns the models of the default provider. */
export function useModels() {
  return useQuery({
    queryKey: ['models'],
    queryFn: () => take(api.GET('/api/models', { params: { query: {} } })),
    staleTime: 300_000,
    retry: false,
  });
}

/** Returns facts about the model of a request; a request may name none. */
export function useModelFacts(chosen: { model: string } | undefined) {
  const { data } = useModels();
  const named = chosen?.model ?? data?.defaultModel;
  return data?.models.find(({ id }) => id === named);
}

/** Returns the model for a request that names none, if known. */
export function useDefaultModel() {
  const { data } = useModels();
  if (!data?.defaultModel) return undefined;
  const { provider, defaultModel: model, models } = data;
  return { provider, model, capabilities: models.find(({ id }) => id === model)?.capabilities };
}
