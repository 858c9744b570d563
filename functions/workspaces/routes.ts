import * as z from 'zod';
import { membersSchema } from '../../lib/access/members.ts';
import { touchListed } from '../../lib/datasets/links/links.ts';
import { DELETED, deletedSchema, pageHeaders, reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { readIndexState } from '../../lib/indexing/read-index-state.ts';
import { indexStateSchema } from '../../lib/indexing/schema.ts';
import { countNotes } from '../../lib/notes/notes.ts';
import { permissionsSchema, putPermissionsSchema } from '../../lib/permissions/schema.ts';
import { type PermissionPorts, putPermissions, readPermissions } from '../../lib/permissions/store.ts';
import type { Records } from '../../lib/ports/records.ts';
import { etagOf } from '../../lib/records/etag.ts';
import { pageQuery } from '../../lib/records/page.ts';
import type { FilesChanged } from '../../lib/workspaces/callbacks.ts';
import { putMembers, requireMayRemove } from '../../lib/workspaces/members.ts';
import {
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  type WorkspacePorts,
} from '../../lib/workspaces/registry.ts';
import {
  createWorkspaceSchema,
  describeWorkspace,
  type Workspace,
  workspaceParams,
  workspaceSchema,
} from '../../lib/workspaces/schema.ts';
import { describeListed, listedWorkspaceSchema, withQuery } from './states.ts';

/** Assembled here because the areas that know the details are in layers above workspaces. */
const workspaceDetailSchema = workspaceSchema
  .extend({ index: indexStateSchema, noteCount: z.number().int() })
  .meta({ id: 'WorkspaceDetail' });

/** Called when a change of the members (ACL) grants or removes access. */
interface ListPorts {
  filesChanged: FilesChanged;
}

const route = routeFor<WorkspacePorts & PermissionPorts & ListPorts>();

const MEMBERS_HELP =
  'A subject is whoever calls: the `sub` of a JWT, the id of a token, a person of a chat. A group is one of OIDC_GROUPS_CLAIM. ' +
  'The role is the most that somebody has here, never more than everywhere; an own entry counts before those of groups. ' +
  'Administrators whose credential is bound to no workspaces are in every workspace.';

const RULES_HELP = `A pattern is about the main argument of a call: the command of bash, the path of writeFile, editFile, readFile, listDirectory
and grep, the query, name or slug of others, else all arguments as JSON. In commands \`*\` is any text; in paths \`*\` stays within
a name and \`**\` does not; \`*\` alone fits everything. A line of the shell is judged command by command, and what is not
understood is asked about as soon as any rule asks about or denies something of bash. Rules of writeFile hold for editFile and
for files that the shell writes with \`>\`. What submitJob and changes of the cluster ask for they ask whatever a rule says.`;

export const workspaceRoutes = [
  route({
    method: 'GET',
    path: '/api/workspaces',
    summary: 'List the workspaces, newest first',
    description:
      'With `with=state` one call says how they are: what is read in, which runs wait, what was asked last.',
    access: 'viewer',
    query: pageQuery.extend({ with: withQuery }),
    replies: { 200: z.array(listedWorkspaceSchema) },
    async handle({ query, caller }, ports) {
      const page = await listWorkspaces(ports.records, caller, query);
      const items = await describeListed(ports, caller, page.items, query);
      return reply(200, items, pageHeaders(page));
    },
  }),
  route({
    method: 'POST',
    path: '/api/workspaces',
    summary: 'Make a workspace of a directory; 200 when it is one already',
    access: 'member',
    body: createWorkspaceSchema,
    example: { path: 'library', name: 'Library' },
    replies: { 200: workspaceSchema, 201: workspaceSchema },
    refusals: [404, 409],
    async handle({ body, caller }, ports) {
      const { workspace, created } = await createWorkspace(ports, caller, body);
      return reply(created ? 201 : 200, describeWorkspace(workspace));
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}',
    summary: 'One workspace with the state of its index',
    access: 'viewer',
    params: workspaceParams,
    replies: { 200: workspaceDetailSchema },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace }, { records }) => reply(200, await describe(records, workspace)),
  }),
  route({
    method: 'DELETE',
    path: '/api/workspaces/{workspaceId}',
    summary: 'Remove a workspace, its notes and its index; the files stay',
    description: 'One with a list of members is removed by its administrators: the list goes with it.',
    access: 'member',
    params: workspaceParams,
    audit: 'workspaces.delete',
    replies: { 200: deletedSchema },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    removesWorkspace: true,
    async handle({ workspace, caller }, ports) {
      requireMayRemove(caller, workspace);
      await deleteWorkspace(ports, workspace);
      if ((workspace.members ?? []).length > 0) await touchListed(ports, workspace);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/permissions',
    summary: "What the agent's tools may do here, and what a person is asked about",
    access: 'viewer',
    params: workspaceParams,
    replies: { 200: permissionsSchema },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace }, { records }) {
      const permissions = await readPermissions(records, workspace.id);
      return reply(200, permissions, { etag: etagOf(permissions.rules) });
    },
  }),
  route({
    method: 'PUT',
    path: '/api/workspaces/{workspaceId}/permissions',
    summary: 'Replace the rules; the last that fits a call wins',
    description: RULES_HELP,
    access: 'member',
    params: workspaceParams,
    body: putPermissionsSchema,
    audit: 'permissions.change',
    auditAbout: ({ body }) => body.rules.map(({ tool, action }) => `${action} ${tool}`).join(', '),
    example: {
      rules: [
        { tool: 'bash', pattern: 'git push*', action: 'deny' },
        { tool: 'writeFile', pattern: 'src/**', action: 'ask' },
      ],
    },
    replies: { 200: permissionsSchema },
    refusals: [404, 409],
    workspace: ({ params }) => params.workspaceId,
    takesMatch: true,
    async handle({ workspace, body, caller, headers }, ports) {
      const change = { ...body, ifMatch: headers['if-match'] };
      const permissions = await putPermissions(ports, caller, workspace.id, change);
      return reply(200, permissions, { etag: etagOf(permissions.rules) });
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/members',
    summary: 'Who may enter the workspace; an empty list: whoever the service lets in',
    description: MEMBERS_HELP,
    access: 'viewer',
    params: workspaceParams,
    replies: { 200: membersSchema },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace: { members = [] } }) => reply(200, members, { etag: etagOf(members) }),
  }),
  route({
    method: 'PUT',
    path: '/api/workspaces/{workspaceId}/members',
    summary: 'Replace the list of who may enter; an empty one lets in whoever the service lets in',
    description: `${MEMBERS_HELP} In force with the next request. A list that would leave who sends it without the role admin here is refused.`,
    access: 'admin',
    params: workspaceParams,
    body: membersSchema,
    example: [
      { group: 'owls', role: 'member' },
      { subject: 'ann@example.org', role: 'admin' },
    ],
    replies: { 200: membersSchema },
    refusals: [404, 409],
    takesMatch: true,
    audit: 'members.change',
    auditAbout: ({ body }) =>
      body.map(({ subject, group, role }) => `${role} ${subject ?? `group ${group}`}`).join(', '),
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, body: members, caller, headers }, ports) {
      await putMembers(ports.records, caller, workspace.id, { members, ifMatch: headers['if-match'] });
      await touchListed(ports, workspace);
      return reply(200, members, { etag: etagOf(members) });
    },
  }),
];

/** Returns the workspace with the state of its index and the number of its notes. */
async function describe(records: Records, workspace: Workspace) {
  const [index, noteCount] = await Promise.all([
    readIndexState(records, workspace.id),
    countNotes(records, workspace.id),
  ]);
  return { ...describeWorkspace(workspace), index, noteCount };
}
