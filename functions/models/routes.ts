import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import type { Capabilities } from '../../lib/models/capabilities.ts';
import { modelsQuery, modelsSchema } from '../../lib/models/schema.ts';
import { PROVIDER_ERRORS, type ProviderId } from '../../lib/ports/language-model.ts';
import type { ModelEntry } from '../../lib/ports/models.ts';
import { modelKind } from '../../lib/text/model-kind.ts';

interface ModelPorts extends HttpPorts {
  listModels(provider: ProviderId | undefined): Promise<{ provider: ProviderId; models: ModelEntry[] }>;
  capabilitiesOf(provider: ProviderId, model: string): Capabilities | undefined;
  defaultModelAt(provider: ProviderId): string | null;
}

const route = routeFor<ModelPorts>();

export const modelRoutes = [
  route({
    method: 'GET',
    path: '/api/models',
    operationId: 'listModels',
    summary: 'List models',
    description:
      'Returns the models of a provider that can chat, sorted by ID. Models whose names say that they only embed, transcribe, or draw are left out.',
    access: 'viewer',
    query: modelsQuery,
    replies: { 200: modelsSchema },
    errors: [...PROVIDER_ERRORS, 'model_not_configured'],
    async handle({ query }, { listModels, capabilitiesOf, defaultModelAt }) {
      const { provider, models } = await listModels(query.provider);
      const able = (model: ModelEntry) => {
        const capabilities = capabilitiesOf(provider, model.id);
        return capabilities === undefined ? model : { ...model, capabilities };
      };
      const chats = sortModels(models.filter(({ id }) => modelKind(id) === 'chat'));
      return reply(200, { provider, defaultModel: defaultModelAt(provider), models: chats.map(able) });
    },
  }),
];

/** Sorts models by ID, and removes duplicates. */
function sortModels(models: ModelEntry[]): ModelEntry[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
