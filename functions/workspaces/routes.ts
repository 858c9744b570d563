import * as z from 'zod';
import type { Caller } from '../../lib/access/caller.ts';
import { type Member, membersSchema, withoutName } from '../../lib/access/members.ts';
import type { WebSearchProvider } from '../../lib/api-contract/web-search-providers.ts';
import { touchListed } from '../../lib/datasets/links/links.ts';
import { Forbidden } from '../../lib/errors.ts';
import { openExample } from '../../lib/example/open-example.ts';
import { DELETED, deletedSchema, pageHeaders, reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { readIndexState } from '../../lib/indexing/read-index-state.ts';
import { indexStateSchema } from '../../lib/indexing/schema.ts';
import { countNotes } from '../../lib/notes/notes.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';
import { withNames } from '../../lib/people/names.ts';
import { type Permissions, permissionsSchema, putPermissionsSchema } from '../../lib/permissions/schema.ts';
import {
  addsHosts,
  type PermissionPorts,
  prepareRules,
  putPermissions,
  readPermissions,
  versionedPart,
} from '../../lib/permissions/store.ts';
import type { Records } from '../../lib/ports/records.ts';
import { etagOf } from '../../lib/records/etag.ts';
import { pageQuery } from '../../lib/records/page.ts';
import type { ServiceJudge } from '../../lib/support/judge-setting.ts';
import { rolesIn } from '../../lib/workspaces/access.ts';
import type { FilesChanged } from '../../lib/workspaces/callbacks.ts';
import { putMembers, requireMayManage } from '../../lib/workspaces/members.ts';
import {
  CREATE_WORKSPACE_ERRORS,
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  renameWorkspace,
  type WorkspacePorts,
} from '../../lib/workspaces/registry.ts';
import {
  createWorkspaceSchema,
  describeWorkspace,
  exampleBody,
  exampleSchema,
  publicWorkspaceSchema,
  renameWorkspaceSchema,
  type Workspace,
  workspaceParams,
} from '../../lib/workspaces/schema.ts';
import {
  describeSettings,
  putSettings,
  putSettingsSchema,
  workspaceSettingsSchema,
} from '../../lib/workspaces/settings.ts';
import { describeListed, listedWorkspaceSchema, withQuery } from './states.ts';

/** Assembled here because the areas with the details are in layers above workspaces. */
const workspaceDetailSchema = publicWorkspaceSchema
  .extend({ index: indexStateSchema, noteCount: z.number().int().describe('Number of notes.') })
  .meta({ id: 'WorkspaceDetail' });

/** Called when a change of the members (ACL) grants or removes access. */
interface ListPorts {
  filesChanged: FilesChanged;
}

/** The service's default for judging citations, if a workspace doesn't set it. */
interface JudgePorts {
  serviceJudge(): Promise<ServiceJudge>;
  /** Returns the provider of web search; undefined if it's disabled. */
  webSearchProvider(): Promise<WebSearchProvider | undefined>;
}

const route = routeFor<WorkspacePorts & PermissionPorts & ListPorts & JudgePorts>();

const MEMBERS_HELP =
  'If the list is empty, everyone who can sign in to the service can access the workspace. A subject is a caller: the `sub` of a ' +
  'JWT, the ID of a token, or a chat user. A group is a value of the claim that OIDC_GROUPS_CLAIM names. The role is the highest ' +
  'role in this workspace; it never exceeds the role that the caller has in the service. An entry for a subject takes precedence ' +
  'over entries for groups. Administrators whose credential is not bound to workspaces can access every workspace.';

const RULES_HELP = `The last rule that matches a call applies. A pattern is matched against the main argument of a call: the command of
\`bash\`; the path of \`writeFile\`, \`editFile\`, \`readFile\`, \`listDirectory\`, and \`grep\`; the query, name, or slug of other tools;
otherwise all arguments as JSON. In commands, \`*\` matches any text. In paths, \`*\` matches within one name, and \`**\` matches across
names. \`*\` alone matches everything. Each command of a shell line is judged separately. A command that cannot be parsed needs
approval as soon as any rule asks about or denies a \`bash\` call. Rules for \`writeFile\` also apply to \`editFile\` and to files that the
shell writes with \`>\`. \`submitJob\` and changes to the cluster always need approval, whatever the rules say. Commands can reach the hosts in
\`network\`, by which they can send them the contents of the workspace.`;

export const workspaceRoutes = [
  route({
    method: 'GET',
    path: '/api/workspaces',
    operationId: 'listWorkspaces',
    summary: 'List workspaces',
    description:
      'Returns the workspaces that you can access, newest first. With `with=state`, the first workspaces of the page include their indexing progress, the runs that wait for approval, your latest conversations, and which of them failed.',
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
    operationId: 'createWorkspace',
    summary: 'Create a workspace',
    description: 'Registers a directory as a workspace. Returns 200 if it already is one.',
    access: 'member',
    body: createWorkspaceSchema,
    example: { path: 'library', name: 'Library', ask: 'changes' },
    replies: { 200: publicWorkspaceSchema, 201: publicWorkspaceSchema },
    errors: [...PATH_ERRORS, ...CREATE_WORKSPACE_ERRORS],
    async handle({ body, caller }, ports) {
      const { workspace, created } = await createWorkspace(ports, caller, {
        ...body,
        prepare: prepareRules(ports, caller, body),
      });
      return reply(created ? 201 : 200, describeWorkspace(workspace));
    },
  }),
  route({
    method: 'POST',
    path: '/api/workspaces/example',
    operationId: 'createExampleWorkspace',
    summary: 'Create the example workspace',
    description:
      'Creates a workspace with eight small papers, notes, a table, a conversation, and a report whose citations open. No model is needed, and none is called. Returns 200 if the example already exists in this language, and adds what is missing of it.',
    access: 'member',
    body: exampleBody,
    example: { language: 'en' },
    replies: { 200: exampleSchema, 201: exampleSchema },
    errors: [...PATH_ERRORS, ...CREATE_WORKSPACE_ERRORS],
    async handle({ body, caller }, ports) {
      const { workspace, created, ...ids } = await openExample(ports, caller, body.language);
      return reply(created ? 201 : 200, { ...describeWorkspace(workspace), ...ids });
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}',
    operationId: 'getWorkspace',
    summary: 'Get a workspace',
    description: 'Returns the workspace, the state of its index, and the number of its notes.',
    access: 'viewer',
    params: workspaceParams,
    replies: { 200: workspaceDetailSchema },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace }, { records }) => reply(200, await describe(records, workspace)),
  }),
  route({
    method: 'PATCH',
    path: '/api/workspaces/{workspaceId}',
    operationId: 'renameWorkspace',
    summary: 'Rename a workspace',
    description:
      'Changes the name of the workspace. Its folder keeps its own. If the workspace has a list of members, only its administrators can rename it.',
    access: 'member',
    params: workspaceParams,
    body: renameWorkspaceSchema,
    example: { name: 'Library' },
    audit: 'workspaces.rename',
    auditAbout: ({ body }) => body.name,
    replies: { 200: publicWorkspaceSchema },
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, body, caller }, { records }) {
      requireMayManage(caller, workspace, 'rename');
      return reply(200, describeWorkspace(await renameWorkspace(records, workspace.id, body.name)));
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/workspaces/{workspaceId}',
    operationId: 'deleteWorkspace',
    summary: 'Delete a workspace',
    description:
      'Deletes the workspace with its conversations, notes, runs, reports, drafts, tasks, skills, rules, budget, and index. The files stay. Runs and reports can no longer be read; they are erased in the background within minutes, and runs in progress are stopped. If the workspace has a list of members, only its administrators can delete it, and the list is deleted too.',
    access: 'member',
    params: workspaceParams,
    audit: 'workspaces.delete',
    replies: { 200: deletedSchema },
    workspace: ({ params }) => params.workspaceId,
    removesWorkspace: true,
    async handle({ workspace, caller }, ports) {
      requireMayManage(caller, workspace, 'remove');
      await deleteWorkspace(ports, workspace);
      if ((workspace.members ?? []).length > 0) await touchListed(ports, workspace);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/settings',
    operationId: 'getWorkspaceSettings',
    summary: 'Get the settings of a workspace',
    description: 'Returns the values of the workspace itself, and those in force.',
    access: 'viewer',
    params: workspaceParams,
    replies: { 200: workspaceSettingsSchema },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace }, ports) =>
      reply(200, describeSettings(workspace, await ports.serviceJudge(), await ports.webSearchProvider())),
  }),
  route({
    method: 'PUT',
    path: '/api/workspaces/{workspaceId}/settings',
    operationId: 'replaceWorkspaceSettings',
    summary: 'Replace the settings of a workspace',
    description: 'Applies from the next request. Null restores the value of the service.',
    access: 'admin',
    params: workspaceParams,
    body: putSettingsSchema,
    example: { citationJudge: 'on' },
    audit: 'settings.change',
    auditAbout: ({ body }) => Object.keys(body).join(' '),
    replies: { 200: workspaceSettingsSchema },
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, body }, ports) {
      const changed = await putSettings(ports.records, workspace.id, body);
      return reply(
        200,
        describeSettings(changed, await ports.serviceJudge(), await ports.webSearchProvider()),
      );
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/permissions',
    operationId: 'getPermissions',
    summary: 'Get the permission rules',
    description:
      'Returns the rules that decide which tools the agent can use in the workspace, and which calls need approval.',
    access: 'viewer',
    params: workspaceParams,
    replyHeaders: ['etag'],
    replies: { 200: permissionsSchema },
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace }, ports) {
      const permissions = await readPermissions(ports, workspace.id);
      return reply(200, await signed(ports.records, permissions), {
        etag: etagOf(versionedPart(permissions)),
      });
    },
  }),
  route({
    method: 'PUT',
    path: '/api/workspaces/{workspaceId}/permissions',
    operationId: 'replacePermissions',
    summary: 'Replace the permission rules',
    description: RULES_HELP,
    access: 'member',
    params: workspaceParams,
    body: putPermissionsSchema,
    audit: 'permissions.change',
    auditAbout: ({ body: { rules, sandboxed, network } }) =>
      [
        ...(sandboxed === undefined ? [] : [`sandboxed ${sandboxed}`]),
        ...(network === undefined ? [] : [`network ${network.join(' ') || 'none'}`]),
        ...rules.map(({ tool, action }) => `${action} ${tool}`),
      ].join(', '),
    example: {
      rules: [
        { tool: 'bash', pattern: 'git push*', action: 'deny' },
        { tool: 'writeFile', pattern: 'src/**', action: 'ask' },
      ],
    },
    replies: { 200: permissionsSchema },
    errors: [
      'always_not_allowed',
      'concurrent_changes',
      'rules_locked',
      'sandbox_unavailable',
      'tool_unknown',
    ],
    workspace: ({ params }) => params.workspaceId,
    takesMatch: true,
    async handle({ workspace, body, caller, headers }, ports) {
      // A host that another caller removes in the meantime isn't added again.
      const mayAddHosts = await addsHosts(ports.records, workspace.id, body);
      if (body.sandboxed === true || mayAddHosts) await requireAdminHere(ports.records, caller, workspace.id);
      const change = { ...body, ifMatch: headers['if-match'], mayAddHosts };
      const permissions = await putPermissions(ports, caller, workspace.id, change);
      return reply(200, await signed(ports.records, permissions), {
        etag: etagOf(versionedPart(permissions)),
      });
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/members',
    operationId: 'listMembers',
    summary: 'List workspace members',
    description: MEMBERS_HELP,
    access: 'viewer',
    params: workspaceParams,
    replyHeaders: ['etag'],
    replies: { 200: membersSchema },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace: { members = [] } }, { records }) =>
      reply(200, await named(records, members), { etag: etagOf(members) }),
  }),
  route({
    method: 'PUT',
    path: '/api/workspaces/{workspaceId}/members',
    operationId: 'replaceMembers',
    summary: 'Replace the workspace members',
    description: `${MEMBERS_HELP} The change applies from the next request. A list that would leave you without the role admin in this workspace is refused.`,
    access: 'admin',
    params: workspaceParams,
    body: membersSchema,
    example: [
      { group: 'owls', role: 'member' },
      { subject: 'ann@example.org', role: 'admin' },
    ],
    replies: { 200: membersSchema },
    errors: ['members_lockout'],
    takesMatch: true,
    audit: 'members.change',
    auditAbout: ({ body }) =>
      body.map(({ subject, group, role }) => `${role} ${subject ?? `group ${group}`}`).join(', '),
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, body, caller, headers }, ports) {
      const members = body.map(withoutName);
      await putMembers(ports.records, caller, workspace.id, { members, ifMatch: headers['if-match'] });
      await touchListed(ports, workspace);
      return reply(200, await named(ports.records, members), { etag: etagOf(members) });
    },
  }),
];

function named(records: Records, members: Member[]): Promise<Member[]> {
  return withNames(records, members, 'name', ({ subject }) => subject);
}

/** Adds the names of a rule's authors, which readers of the rules may see. */
async function signed(records: Records, { rules, ...others }: Permissions): Promise<Permissions> {
  return { rules: await withNames(records, rules, 'addedByName', ({ addedBy }) => addedBy), ...others };
}

/** Returns the workspace with the state of its index and the number of its notes. */
async function describe(records: Records, workspace: Workspace) {
  const [index, noteCount] = await Promise.all([
    readIndexState(records, workspace.id),
    countNotes(records, workspace.id),
  ]);
  return { ...describeWorkspace(workspace), index, noteCount };
}

/**
 * Throws Forbidden unless the caller is an administrator of the workspace, according to its member list too.
 */
async function requireAdminHere(records: Records, caller: Caller, workspaceId: string): Promise<void> {
  const role = await rolesIn(records, caller)(workspaceId);
  if (role !== 'admin')
    throw new Forbidden(
      'role_required',
      'sandboxed: true, and other hosts in network, need the role admin in the workspace.',
    );
}
