import * as z from 'zod';
import { DELETED, deletedSchema, pageHeaders, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import type { Web } from '../../lib/ports/web.ts';
import { exportSkill } from '../../lib/skills/export.ts';
import { importSkill } from '../../lib/skills/import.ts';
import { listSkills } from '../../lib/skills/list.ts';
import { readSkillText, readSkillZip } from '../../lib/skills/read-uploaded.ts';
import {
  createSkillSchema,
  importQuery,
  importSkillSchema,
  skillExportQuery,
  skillParams,
  skillSchema,
  skillsQuery,
  updateSkillSchema,
} from '../../lib/skills/schema.ts';
import { createSkill, deleteSkill, findSkillById, updateSkill } from '../../lib/skills/skills.ts';

const route = routeFor<HttpPorts & { web: Web }>();

export const skillRoutes = [
  route({
    method: 'GET',
    path: '/api/skills',
    summary: 'List the global skills and those of a workspace, newest first, the built-in ones last',
    description: 'A page may end before its `limit` when prompts are long: go on with `x-next-cursor`.',
    access: 'viewer',
    query: skillsQuery,
    replies: { 200: z.array(skillSchema) },
    refusals: [404],
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, query }, { records }) {
      const page = await listSkills(records, workspace?.id, query);
      return reply(200, page.items, pageHeaders(page));
    },
  }),
  route({
    method: 'POST',
    path: '/api/skills',
    summary: 'Make a skill; a global one takes an administrator',
    access: 'member',
    body: createSkillSchema,
    example: {
      name: 'Birds',
      description: 'Lists the birds of a text',
      systemPrompt: 'List each bird once.',
      steps: [{ instruction: 'Read the files about birds.' }],
      parameters: [],
    },
    replies: { 201: skillSchema },
    refusals: [404, 409],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(201, await createSkill(ports, caller, workspace, body)),
  }),
  route({
    method: 'POST',
    path: '/api/skills/import',
    summary: 'Make a skill of a SKILL.md, of JSON, or of an https address of either',
    description:
      'A slug that is taken gets a number: `-1`, `-2`, … Also as `text/markdown`, the SKILL.md itself, or as ' +
      '`application/zip`, which holds one; the workspace is then named in the query.',
    access: 'member',
    query: importQuery,
    body: importSkillSchema,
    example: {
      content: '---\nname: birds\ndescription: Lists the birds of a text\n---\n\nList each bird once.\n',
    },
    otherBodies: { 'text/markdown': readSkillText, 'application/zip': readSkillZip },
    replies: { 201: skillSchema },
    refusals: [404, 409, 502],
    workspace: ({ body, query }) => body.workspaceId ?? query.workspaceId ?? null,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(201, await importSkill(ports, caller, workspace, body)),
  }),
  route({
    method: 'GET',
    path: '/api/skills/{skillId}',
    summary: 'Read a skill',
    access: 'viewer',
    params: skillParams,
    replies: { 200: skillSchema },
    refusals: [404],
    handle: async ({ params, caller }, { records }) =>
      reply(200, await findSkillById(records, caller, params.skillId)),
  }),
  route({
    method: 'PUT',
    path: '/api/skills/{skillId}',
    summary: 'Change some fields of a skill',
    description: 'A built-in skill cannot be changed: export it, and import it as a copy.',
    access: 'member',
    params: skillParams,
    body: updateSkillSchema,
    example: { isEnabled: false },
    replies: { 200: skillSchema },
    refusals: [404, 409],
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await updateSkill(ports, caller, params.skillId, body)),
  }),
  route({
    method: 'DELETE',
    path: '/api/skills/{skillId}',
    summary: 'Remove a skill',
    access: 'member',
    params: skillParams,
    audit: 'skills.delete',
    replies: { 200: deletedSchema },
    refusals: [404, 409],
    async handle({ params, caller }, ports) {
      await deleteSkill(ports, caller, params.skillId);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/skills/{skillId}/export',
    summary: 'A skill as a SKILL.md, or as JSON: what import takes',
    access: 'viewer',
    params: skillParams,
    query: skillExportQuery,
    replies: {
      200: { mediaType: '*/*', description: 'text/markdown, or application/json with format=json' },
    },
    refusals: [404],
    async handle({ params, query, caller }, { records }) {
      const { text, headers } = exportSkill(
        await findSkillById(records, caller, params.skillId),
        query.format,
      );
      return reply(200, text, headers);
    },
  }),
];
