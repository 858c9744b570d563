import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { settingsSchema, updatedSettingsSchema, updateSettingsSchema } from '../../lib/settings/schema.ts';
import { readSettings, type SettingsPorts, updateSettings } from '../../lib/settings/settings.ts';

const route = routeFor<HttpPorts & SettingsPorts>();

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
      'Changes only the fields that you send. Changes apply everywhere within 5 seconds, tokens within 5 minutes. `notInForce` lists saved fields that an environment variable overrides. Only for administrators whose credential is not bound to workspaces.',
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
];
