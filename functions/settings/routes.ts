import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { capabilitiesSchema, checkModelSchema } from '../../lib/models/capabilities.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';
import { MODEL_ERRORS } from '../../lib/ports/language-model.ts';
import {
  connectionParams,
  connectionsSchema,
  connectSchema,
  localServersSchema,
  testedSchema,
  testSchema,
} from '../../lib/settings/connection-schema.ts';
import { checkConnectedModel, type ModelCheckPorts } from '../../lib/settings/model-checks.ts';
import {
  type ConnectionPorts,
  connectModel,
  disconnectModel,
  findLocalModels,
  isAsSetUp,
  listConnections,
  testConnection,
} from '../../lib/settings/model-connections.ts';
import { rootSchema, rootsSchema } from '../../lib/settings/root-schema.ts';
import {
  addWorkspaceRoot,
  CHANGE_ROOT_ERRORS,
  listWorkspaceRoots,
  type RootPorts,
  removeWorkspaceRoot,
} from '../../lib/settings/roots.ts';
import { settingsSchema, updatedSettingsSchema, updateSettingsSchema } from '../../lib/settings/schema.ts';
import { readSettings, updateSettings } from '../../lib/settings/settings.ts';

const ADMINS = 'Only for administrators whose credential is not bound to workspaces.';

export type SettingsRoutePorts = HttpPorts & ConnectionPorts & ModelCheckPorts & RootPorts;
const route = routeFor<SettingsRoutePorts>();

export const settingsRoutes = [
  route({
    method: 'GET',
    path: '/api/settings',
    operationId: 'getSettings',
    summary: 'Get the settings',
    description:
      'Keys and tokens are never returned, only whether they are set. Only for administrators whose credential is not bound to workspaces.',
    access: 'admin',
    replies: { 200: settingsSchema },
    errors: ['workspace_scoped_token'],
    handle: async ({ caller }, ports) => reply(200, await readSettings(ports, caller)),
  }),
  route({
    method: 'PUT',
    path: '/api/settings',
    operationId: 'updateSettings',
    summary: 'Update the settings',
    description:
      'Changes only the fields that you send. Changes apply to the next request; on AWS within 5 seconds, tokens within 5 minutes. `notInForce` lists saved fields that an environment variable overrides. Only for administrators whose credential is not bound to workspaces.',
    access: 'admin',
    body: updateSettingsSchema,
    audit: 'settings.change',
    auditAbout: ({ body }) => Object.keys(body).join(' '),
    example: {
      reportTimezone: 'Europe/Berlin',
      prices: { 'a-model': { inputPerMillion: 0.5, outputPerMillion: 1.5 } },
    },
    replies: { 200: updatedSettingsSchema },
    errors: ['workspace_scoped_token'],
    handle: async ({ body, caller }, ports) => reply(200, await updateSettings(ports, caller, body)),
  }),
  route({
    method: 'GET',
    path: '/api/settings/models',
    operationId: 'listModelConnections',
    summary: 'List the connections to model providers',
    description: `Keys are never returned, only whether they are set. ${ADMINS}`,
    access: 'admin',
    replies: { 200: connectionsSchema },
    errors: ['workspace_scoped_token'],
    handle: async ({ caller }, ports) => reply(200, await listConnections(ports, caller)),
  }),
  route({
    method: 'PUT',
    path: '/api/settings/models/{provider}',
    operationId: 'connectModel',
    summary: 'Replace the connection to a model provider',
    description: `Replaces the connection to a provider, which applies immediately, on AWS within 5 seconds. A stored key is sent only to the URL that it was stored with, so a new URL needs the key again. Redirects are not followed. ${ADMINS}`,
    access: 'admin',
    params: connectionParams,
    body: connectSchema,
    audit: 'models.connect',
    auditAbout: ({ params, body }) => `${params.provider} at ${hostOf(body.baseUrl)}`,
    example: { apiKey: 'sk-example', model: 'gpt-4.1-mini' },
    replies: { 200: connectionsSchema },
    errors: ['model_address_refused', 'model_set_in_environment', 'workspace_scoped_token'],
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await connectModel(ports, caller, params.provider, body)),
  }),
  route({
    method: 'DELETE',
    path: '/api/settings/models/{provider}',
    operationId: 'disconnectModel',
    summary: 'Delete the connection to a model provider',
    description: `Removes the key and the URL that the settings have. Those of the operator stay. ${ADMINS}`,
    access: 'admin',
    params: connectionParams,
    audit: 'models.disconnect',
    replies: { 200: connectionsSchema },
    errors: ['workspace_scoped_token'],
    handle: async ({ params, caller }, ports) =>
      reply(200, await disconnectModel(ports, caller, params.provider)),
  }),
  route({
    method: 'POST',
    path: '/api/settings/models/{provider}/test',
    operationId: 'testModelConnection',
    summary: 'Check the connection to a model provider',
    description: `Asks the provider for its list of models, which costs nothing. With neither \`apiKey\` nor \`baseUrl\`, tests the connection as it is set up. A failure is part of the result. ${ADMINS}`,
    access: 'admin',
    params: connectionParams,
    body: testSchema,
    audit: 'models.test',
    auditAbout: ({ params, body }) =>
      isAsSetUp(body) ? `${params.provider} as set up` : `${params.provider} at ${hostOf(body.baseUrl)}`,
    example: { apiKey: 'sk-example' },
    replies: { 200: testedSchema },
    errors: ['model_address_refused', 'model_not_configured', 'workspace_scoped_token'],
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await testConnection(ports, caller, params.provider, body)),
  }),
  route({
    method: 'POST',
    path: '/api/settings/models/{provider}/check',
    operationId: 'checkModel',
    summary: 'Check what a model can do',
    description: `Calls a model of your own server three times, with under 2,000 tokens, and stores what it can do and how fast it is. It takes up to three minutes, on AWS 24 seconds; what isn't known by then is null. A provider's own model is not called. ${ADMINS}`,
    access: 'admin',
    params: connectionParams,
    body: checkModelSchema,
    audit: 'models.test',
    auditAbout: ({ params, body }) => `${params.provider} ${body.model}`,
    example: { model: 'qwen3:8b' },
    replies: { 200: capabilitiesSchema },
    errors: [...MODEL_ERRORS, 'workspace_scoped_token'],
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await checkConnectedModel(ports, caller, params.provider, body.model)),
  }),
  route({
    method: 'GET',
    path: '/api/settings/local-models',
    operationId: 'findLocalModels',
    summary: "List the model servers on the service's host",
    description: `Looks for Ollama, LM Studio, llama.cpp, vLLM, and other servers with OpenAI's API at the ports 11434, 1234, 8080, and 8000 of the loopback interface. ${ADMINS}`,
    access: 'admin',
    replies: { 200: localServersSchema },
    errors: ['workspace_scoped_token'],
    handle: async ({ caller }, ports) => reply(200, await findLocalModels(ports, caller)),
  }),
  route({
    method: 'GET',
    path: '/api/settings/roots',
    operationId: 'listWorkspaceRoots',
    summary: 'List the folders that can contain workspaces',
    description: `Returns the roots and the origin of each. ${ADMINS}`,
    access: 'admin',
    replies: { 200: rootsSchema },
    errors: ['workspace_scoped_token'],
    handle: async ({ caller }, ports) => reply(200, await listWorkspaceRoots(ports, caller)),
  }),
  route({
    method: 'POST',
    path: '/api/settings/roots',
    operationId: 'addWorkspaceRoot',
    summary: 'Add a folder that can contain workspaces',
    description: `The service, its agent, and everyone who may create workspaces can then read and change the files in the folder, as the user that the service runs as. Applies to the next request. Folders of the system, of the service, hidden folders, and the home folder are refused. On a single host only. ${ADMINS}`,
    access: 'admin',
    body: rootSchema,
    audit: 'roots.add',
    auditAbout: ({ body }) => body.path,
    example: { path: '/srv/papers' },
    replies: { 200: rootsSchema },
    errors: [...PATH_ERRORS, ...CHANGE_ROOT_ERRORS, 'root_refused'],
    handle: async ({ body, caller }, ports) => reply(200, await addWorkspaceRoot(ports, caller, body.path)),
  }),
  route({
    method: 'DELETE',
    path: '/api/settings/roots',
    operationId: 'removeWorkspaceRoot',
    summary: 'Delete a folder from those that can contain workspaces',
    description: `Removes a root that the settings added. Its files stay. Refused while a workspace is in it. ${ADMINS}`,
    access: 'admin',
    query: rootSchema,
    audit: 'roots.remove',
    auditAbout: ({ query }) => query.path,
    replies: { 200: rootsSchema },
    errors: [...CHANGE_ROOT_ERRORS, 'root_in_use', 'root_not_found'],
    handle: async ({ query, caller }, ports) =>
      reply(200, await removeWorkspaceRoot(ports, caller, query.path)),
  }),
];

/** Returns the host for the audit log, without the path, which may contain a key. */
function hostOf(baseUrl: string | null | undefined): string {
  return baseUrl ? new URL(baseUrl).host : "the provider's own URL";
}
