import * as z from 'zod';
import { isTimezone } from '../config.ts';
import { providerIdSchema } from '../ports/language-model.ts';
import { modelPricesSchema } from '../prices/schema.ts';
import { collection } from '../records/collection.ts';

/** Settings of the API, which override the environment; undefined = as in the environment. No secrets. */
const storedSettingsSchema = z.object({
  llmProvider: providerIdSchema.optional(),
  llmModel: z.string().optional(),
  reportTimezone: z.string().optional(),
  prices: modelPricesSchema.optional(),
});
export type StoredSettings = z.infer<typeof storedSettingsSchema>;

/** One record for the whole service. */
export const storedSettings = collection({
  kind: 'settings',
  schema: storedSettingsSchema,
  key: (_id: StoredSettings) => ({ partition: 'SETTINGS', sort: 'service' }),
});

const printable = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

export const updateSettingsSchema = z.strictObject({
  llmProvider: providerIdSchema.nullable().optional().describe('null: as in the environment'),
  llmModel: printable.max(200).nullable().optional().describe('null: as in the environment'),
  hubAToken: printable.max(1000).nullable().optional().describe('kept in the secret store; null removes it'),
  reportTimezone: z
    .string()
    .max(100)
    .refine(isTimezone, 'must be a time zone such as Europe/Berlin')
    .nullable()
    .optional()
    .describe('null: as in the environment'),
  prices: modelPricesSchema
    .nullable()
    .optional()
    .describe('of models, US dollars a million tokens; replaces those set before; null: list prices alone'),
});
export type UpdateSettings = z.infer<typeof updateSettingsSchema>;

const configured = z.boolean();
const provider = z
  .strictObject({ configured, baseUrl: z.string().nullable() })
  .meta({ title: 'ProviderState' });
const bot = z.strictObject({
  enabled: z.boolean(),
  missing: z.array(z.string()).describe('the variables without which it does not answer'),
});

export const settingsSchema = z
  .strictObject({
    aiAvailable: z.boolean(),
    llmProvider: providerIdSchema.nullable().describe('that answers when a call names none'),
    llmModel: z.string().nullable().describe('null: the provider’s usual one'),
    providers: z.strictObject({ a: provider, b: provider, c: provider }),
    embedding: z.strictObject({ configured, model: z.string().nullable() }),
    workspaceRoots: z.array(z.string()),
    hubAToken: z.strictObject({
      configured,
      source: z.enum(['env', 'settings']).meta({ title: 'SettingSource' }).nullable(),
    }),
    codeHostToken: z.strictObject({ configured }),
    bots: z.strictObject({
      ima: bot.extend({ connection: z.enum(['webhook', 'websocket']).meta({ title: 'BotConnection' }) }),
      imb: bot,
    }),
    cluster: z.strictObject({ configured }),
    reportTimezone: z.string(),
    prices: modelPricesSchema.describe('set here; they stand before list prices'),
    listPrices: z
      .strictObject({ asOf: z.string(), models: modelPricesSchema })
      .describe('what the makers asked for at that day: nothing looks them up'),
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof settingsSchema>;

export const updatedSettingsSchema = z
  .strictObject({
    ...settingsSchema.shape,
    notInForce: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'of what was sent: the fields that are kept, but that the environment stands before, and why',
      ),
  })
  .meta({ id: 'UpdatedSettings' });
export type UpdatedSettings = z.infer<typeof updatedSettingsSchema>;
