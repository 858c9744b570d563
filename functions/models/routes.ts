import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { modelsQuery, modelsSchema } from '../../lib/models/schema.ts';
import { sortModels } from '../../lib/models/sort.ts';
import type { ProviderId } from '../../lib/ports/language-model.ts';
import { PROVIDER_ERRORS } from '../../lib/ports/language-model.ts';
import type { ModelEntry } from '../../lib/ports/models.ts';

interface ModelPorts extends HttpPorts {
  listModels(provider: ProviderId | undefined): Promise<{ provider: ProviderId; models: ModelEntry[] }>;
}

const route = routeFor<ModelPorts>();

export const modelRoutes = [
  route({
    method: 'GET',
    path: '/api/models',
    operationId: 'listModels',
    summary: 'List models',
    description: 'Returns the models of a provider, sorted by ID.',
    access: 'viewer',
    query: modelsQuery,
    replies: { 200: modelsSchema },
    errors: [...PROVIDER_ERRORS, 'model_not_configured'],
    async handle({ query }, { listModels }) {
      const { provider, models } = await listModels(query.provider);
      return reply(200, { provider, models: sortModels(models) });
    },
  }),
];
