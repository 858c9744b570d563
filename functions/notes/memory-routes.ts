import * as z from 'zod';
import { DELETED, deletedSchema, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import {
  addMemory,
  changeMemory,
  deleteMemory,
  listMemories,
  MEMORY_ERRORS,
} from '../../lib/memories/memories.ts';
import {
  addMemoryBody,
  changeMemoryBody,
  MAX_FACTS,
  memoryParams,
  memoryQuery,
  memorySchema,
} from '../../lib/memories/schema.ts';
import { withNames } from '../../lib/people/names.ts';

const route = routeFor<HttpPorts>();

export const memoryRoutes = [
  route({
    method: 'GET',
    path: '/api/memories',
    operationId: 'listMemories',
    summary: 'List remembered facts',
    description: `Returns the facts of the caller, or of a workspace, latest first; at most ${MAX_FACTS}. Facts of a person are visible only to that person.`,
    access: 'viewer',
    query: memoryQuery,
    replies: { 200: z.array(memorySchema) },
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, caller }, { records }) {
      const facts = await listMemories(records, caller, workspace);
      return reply(200, await withNames(records, facts, 'createdByName', ({ createdBy }) => createdBy));
    },
  }),
  route({
    method: 'POST',
    path: '/api/memories',
    operationId: 'createMemory',
    summary: 'Add a fact to remember',
    description:
      'Adds a fact that later answers take into account. Those of a workspace need the role member there. A fact with the same text is returned unchanged.',
    access: 'viewer',
    query: memoryQuery,
    body: addMemoryBody,
    example: { text: 'I work in Celsius and SI units.' },
    replies: { 201: memorySchema },
    errors: ['concurrent_changes', 'role_required', 'too_many_memories'],
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(201, await addMemory(ports, caller, workspace, body)),
  }),
  route({
    method: 'PATCH',
    path: '/api/memories/{memoryId}',
    operationId: 'updateMemory',
    summary: 'Update a remembered fact',
    description: 'Send `ifUpdatedAt` so that a change made in the meantime is not overwritten.',
    access: 'viewer',
    params: memoryParams,
    body: changeMemoryBody,
    example: { text: 'I work in Fahrenheit.' },
    replies: { 200: memorySchema },
    errors: [...MEMORY_ERRORS, 'changed_since_read'],
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await changeMemory(ports, caller, params.memoryId, body)),
  }),
  route({
    method: 'DELETE',
    path: '/api/memories/{memoryId}',
    operationId: 'deleteMemory',
    summary: 'Delete a remembered fact',
    access: 'viewer',
    params: memoryParams,
    replies: { 200: deletedSchema },
    errors: [...MEMORY_ERRORS],
    async handle({ params, caller }, ports) {
      await deleteMemory(ports, caller, params.memoryId);
      return reply(200, DELETED);
    },
  }),
];
