import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { settingsSchema, updatedSettingsSchema, updateSettingsSchema } from '../../lib/settings/schema.ts';
import { readSettings, type SettingsPorts, updateSettings } from '../../lib/settings/settings.ts';

const route = routeFor<HttpPorts & SettingsPorts>();

export const settingsRoutes = [
  route({
    method: 'GET',
    path: '/api/settings',
    summary: 'What is configured; of keys and tokens only whether there is one',
    description: 'For administrators whose credential is bound to no workspaces.',
    access: 'admin',
    replies: { 200: settingsSchema },
    handle: async ({ caller }, ports) => reply(200, await readSettings(ports, caller)),
  }),
  route({
    method: 'PUT',
    path: '/api/settings',
    summary: 'Change some settings; those that the environment stands before are named',
    description:
      'In force within 5 seconds everywhere; a token within 5 minutes. What is left out stays as it is. ' +
      'For administrators whose credential is bound to no workspaces.',
    access: 'admin',
    body: updateSettingsSchema,
    audit: 'settings.change',
    auditAbout: ({ body }) => Object.keys(body).join(' '),
    example: {
      reportTimezone: 'Europe/Berlin',
      prices: { 'a-model': { inputPerMillion: 0.5, outputPerMillion: 1.5 } },
    },
    replies: { 200: updatedSettingsSchema },
    handle: async ({ body, caller }, ports) => reply(200, await updateSettings(ports, caller, body)),
  }),
];
