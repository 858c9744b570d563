import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { modelsQuery, modelsSchema } from '../../lib/models/schema.ts';
import { sortModels } from '../../lib/models/sort.ts';
import type { ProviderId } from '../../lib/ports/language-model.ts';
import type { ModelEntry } from '../../lib/ports/models.ts';

interface ModelPorts extends HttpPorts {
  listModels(provider: ProviderId | undefined): Promise<ModelEntry[]>;
}

const route = routeFor<ModelPorts>();

export const modelRoutes = [
  route({
    method: 'GET',
    path: '/api/models',
    summary: 'What a model provider offers, by id',
    access: 'viewer',
    query: modelsQuery,
    replies: { 200: modelsSchema },
    refusals: [502, 503],
    handle: async ({ query }, { listModels }) =>
      reply(200, { models: sortModels(await listModels(query.provider)) }),
  }),
];
