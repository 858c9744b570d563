import * as z from 'zod';
import { DELETED, deletedSchema, reply, replyPage } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import type { Web } from '../../lib/ports/web.ts';
import { exportSkill } from '../../lib/skills/export.ts';
import { IMPORT_SKILL_ERRORS, importSkill, readSkillText, readSkillZip } from '../../lib/skills/import.ts';
import { listSkills } from '../../lib/skills/list.ts';
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
import {
  createSkill,
  deleteSkill,
  findSkillById,
  SAVE_SKILL_ERRORS,
  SKILL_ERRORS,
  updateSkill,
} from '../../lib/skills/skills.ts';

const route = routeFor<HttpPorts & { web: Web }>();

export const skillRoutes = [
  route({
    method: 'GET',
    path: '/api/skills',
    operationId: 'listSkills',
    summary: 'List skills',
    description:
      'Returns the global skills and those of a workspace, newest first, with the built-in ones last. A page may contain fewer items than its `limit`; continue with `x-next-cursor`.',
    access: 'viewer',
    query: skillsQuery,
    replies: { 200: z.array(skillSchema) },
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace, query }, { records }) =>
      replyPage(await listSkills(records, workspace?.id, query)),
  }),
  route({
    method: 'POST',
    path: '/api/skills',
    operationId: 'createSkill',
    summary: 'Create a skill',
    description: 'Only administrators can create a global skill.',
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
    errors: [...SAVE_SKILL_ERRORS],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(201, await createSkill(ports, caller, workspace, body)),
  }),
  route({
    method: 'POST',
    path: '/api/skills/import',
    operationId: 'importSkill',
    summary: 'Import a skill',
    description:
      'Creates a skill from a SKILL.md file, from JSON, or from an HTTPS URL of either. If the slug is taken, a number is added: `-1`, `-2`, and so on. You can also send a SKILL.md file as `text/markdown`, or a ZIP file that contains one as `application/zip`; the workspace is then a query parameter.',
    access: 'member',
    query: importQuery,
    body: importSkillSchema,
    example: {
      content: '---\nname: birds\ndescription: Lists the birds of a text\n---\n\nList each bird once.\n',
    },
    otherBodies: { 'text/markdown': readSkillText, 'application/zip': readSkillZip },
    replies: { 201: skillSchema },
    errors: [...IMPORT_SKILL_ERRORS],
    workspace: ({ body, query }) => body.workspaceId ?? query.workspaceId ?? null,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(201, await importSkill(ports, caller, workspace, body)),
  }),
  route({
    method: 'GET',
    path: '/api/skills/{skillId}',
    operationId: 'getSkill',
    summary: 'Get a skill',
    access: 'viewer',
    params: skillParams,
    replies: { 200: skillSchema },
    errors: [...SKILL_ERRORS],
    handle: async ({ params, caller }, { records }) =>
      reply(200, await findSkillById(records, caller, params.skillId)),
  }),
  route({
    method: 'PUT',
    path: '/api/skills/{skillId}',
    operationId: 'updateSkill',
    summary: 'Update a skill',
    description:
      'Changes only the fields that you send. A built-in skill cannot be changed: export it, and import it as a copy.',
    access: 'member',
    params: skillParams,
    body: updateSkillSchema,
    example: { isEnabled: false },
    replies: { 200: skillSchema },
    errors: [...SAVE_SKILL_ERRORS, ...SKILL_ERRORS, 'skill_built_in'],
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await updateSkill(ports, caller, params.skillId, body)),
  }),
  route({
    method: 'DELETE',
    path: '/api/skills/{skillId}',
    operationId: 'deleteSkill',
    summary: 'Delete a skill',
    access: 'member',
    params: skillParams,
    audit: 'skills.delete',
    replies: { 200: deletedSchema },
    errors: [...SKILL_ERRORS, 'skill_built_in', 'workspace_scoped_token'],
    async handle({ params, caller }, ports) {
      await deleteSkill(ports, caller, params.skillId);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/skills/{skillId}/export',
    operationId: 'exportSkill',
    summary: 'Export a skill',
    description: 'Returns the skill as a SKILL.md file or as JSON, in a form that can be imported.',
    access: 'viewer',
    params: skillParams,
    query: skillExportQuery,
    replyHeaders: ['content-disposition'],
    replies: {
      200: {
        mediaType: '*/*',
        description: 'Skill as `text/markdown`, or as `application/json` with `format=json`.',
      },
    },
    errors: [...SKILL_ERRORS],
    async handle({ params, query, caller }, { records }) {
      const { text, headers } = exportSkill(
        await findSkillById(records, caller, params.skillId),
        query.format,
      );
      return reply(200, text, headers);
    },
  }),
];
