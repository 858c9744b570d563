import * as z from 'zod';
import { PLATFORMS, type Platform } from '../api-contract/chat-platforms.ts';
import { pastedWord } from '../api-contract/pasted.ts';
import { isTimezone } from '../config/values.ts';
import { capabilitiesSchema, storedCheckSchema } from '../models/capabilities.ts';
import { contextTokensSchema, providerIdSchema, windowSourceSchema } from '../ports/language-model.ts';
import { modelPricesSchema } from '../prices/schema.ts';
import { collection } from '../records/collection.ts';
import { citationJudgeSchema, judgeSourceSchema } from '../support/judge-setting.ts';
import { keyField, nameField } from '../validation/pasted-fields.ts';
import { putWebSearchSchema, storedWebSearchSchema, webSearchStateSchema } from './web-search.ts';

const semanticSearchSchema = z.enum(['on', 'off']).meta({ title: 'SemanticSearch' });

/**
 * Settings of the API, which override the environment. Undefined means that the environment decides. They
 * contain no secrets.
 */
const storedSettingsSchema = z.object({
  llmProvider: providerIdSchema.optional(),
  llmModel: z.string().optional(),
  contextTokens: z.int().optional(),
  reportTimezone: z.string().optional(),
  citationJudge: citationJudgeSchema.optional(),
  semanticSearch: semanticSearchSchema.optional(),
  webSearch: storedWebSearchSchema.optional(),
  prices: modelPricesSchema.optional(),
  /** Real locations of folders for workspaces, in addition to WORKSPACE_ROOTS. Used on a single host only. */
  workspaceRoots: z.array(z.string()).optional(),
  /** Capabilities of self-hosted models, the latest check last. Keyed by provider and model. */
  modelChecks: z.record(z.string(), storedCheckSchema).optional(),
  /** Changes with each change of a connection, so that processes read the secret store again. */
  connectionsVersion: z.string().optional(),
});
export type StoredSettings = z.infer<typeof storedSettingsSchema>;

/** One record for the whole service. */
export const storedSettings = collection({
  kind: 'settings',
  schema: storedSettingsSchema,
  key: (_id: StoredSettings) => ({ partition: 'SETTINGS', sort: 'service' }),
});

export const updateSettingsSchema = z.strictObject({
  llmProvider: providerIdSchema
    .nullable()
    .optional()
    .describe('Default model provider. Null to use the environment variable.'),
  llmModel: nameField
    .max(200)
    .nullable()
    .optional()
    .describe('Default model. Null to use the environment variable.'),
  contextTokens: contextTokensSchema
    .nullable()
    .optional()
    .describe(
      'Context window of the default model, in tokens. Null to use the environment variable, or what the model server reports. Changing the model removes it.',
    ),
  hubAToken: keyField
    .max(1000)
    .nullable()
    .optional()
    .describe('Hugging Face access token, kept in the secret store. Null removes it.'),
  reportTimezone: z
    .string()
    .max(100)
    .overwrite(pastedWord)
    .refine(isTimezone, 'must be a time zone such as Europe/Berlin')
    .nullable()
    .optional()
    .describe('Time zone of reports. Null to use the environment variable.'),
  citationJudge: citationJudgeSchema
    .nullable()
    .optional()
    .describe(
      'Whether a model judges citations where neither the request nor its workspace says. Null to use the environment variable.',
    ),
  semanticSearch: semanticSearchSchema
    .nullable()
    .optional()
    .describe(
      'Whether an embedding model may be used. `off` searches by keywords alone, whatever is configured. Null to use the environment variable.',
    ),
  webSearch: putWebSearchSchema
    .nullable()
    .optional()
    .describe('Provider of web search. Null to use the environment variables, without a stored key.'),
  prices: modelPricesSchema
    .nullable()
    .optional()
    .describe(
      'Prices of models, in USD per million tokens. They replace all prices set before. Null removes them, so that only list prices apply.',
    ),
});
export type UpdateSettings = z.infer<typeof updateSettingsSchema>;

const configured = z.boolean();
const provider = z
  .strictObject({
    configured: configured.describe('Whether the provider can be used.'),
    baseUrl: z.string().nullable().describe('Base URL of the API. Null for the default of the provider.'),
  })
  .meta({ title: 'ProviderState' });
const bot = z.strictObject({
  enabled: z.boolean().describe('Whether the bot is enabled.'),
  connection: z
    .enum(['webhook', 'websocket'])
    .meta({ title: 'BotConnection' })
    .optional()
    .describe('How the bot gets its messages. Absent if its platform has only callbacks.'),
  missing: z.array(z.string()).describe('Names of the environment variables that the bot still needs.'),
});

export const settingsSchema = z
  .strictObject({
    aiAvailable: z.boolean().describe('Whether a model provider is configured.'),
    llmProvider: providerIdSchema.nullable().describe('Provider that is used when a request names none.'),
    llmModel: z
      .string()
      .nullable()
      .describe("Model that is used when a request names none. Null for the provider's default model."),
    capabilities: capabilitiesSchema
      .nullable()
      .describe('Abilities of the default model, as its last check found them. Null if nothing is known.'),
    contextTokens: z
      .int()
      .nullable()
      .describe('Context window that is set for the default model, in tokens. Null if none is set.'),
    contextWindow: z
      .strictObject({
        contextTokens: z.int().describe('Tokens of the prompt and the answer together.'),
        from: windowSourceSchema,
      })
      .meta({ title: 'ContextWindow' })
      .nullable()
      .describe('Context window that prompts are fitted to. Null if it is unknown.'),
    reportedTokens: z
      .int()
      .nullable()
      .describe(
        'Context window that the model server reports, in tokens, where `contextTokens` sets one. Null if none is set, or the server reports none.',
      ),
    providers: z.strictObject({ a: provider, b: provider, c: provider }),
    embedding: z.strictObject({
      configured: configured.describe('Whether an embedding service is configured.'),
      model: z.string().nullable().describe('Embedding model. Null if none is configured.'),
    }),
    semanticSearch: semanticSearchSchema.describe(
      'Whether an embedding model may be used. `off` by default only with `EMBEDDING_MODEL=none`.',
    ),
    citationJudge: citationJudgeSchema.describe(
      'Whether the model of an answer judges its citations, in one more call per answer. By default from `CITATION_JUDGE`. A workspace can have its own value, and a request can set `judge`.',
    ),
    citationJudgeSource: judgeSourceSchema
      .exclude(['workspace'])
      .meta({ title: 'ServiceJudgeSource' })
      .describe('Origin of `citationJudge`. `environment` also if the value was never set.'),
    workspaceRoots: z
      .array(z.string())
      .describe('Absolute paths of the folders in which workspaces can be created.'),
    hubAToken: z.strictObject({
      configured: configured.describe('Whether a Hugging Face access token is set.'),
      source: z
        .enum(['env', 'settings'])
        .meta({ title: 'SettingSource' })
        .nullable()
        .describe('Origin of the token: an environment variable, or the settings. Null without a token.'),
    }),
    webSearch: webSearchStateSchema.describe('Provider of web search.'),
    codeHostToken: z.strictObject({ configured: configured.describe('Whether a token for Git is set.') }),
    bots: z.strictObject(
      Object.fromEntries(PLATFORMS.map((platform) => [platform, bot])) as Record<Platform, typeof bot>,
    ),
    cluster: z.strictObject({
      configured: configured.describe('Whether a Kubernetes cluster is configured.'),
    }),
    reportTimezone: z.string().describe('IANA time zone of reports, such as `Europe/Berlin`.'),
    prices: modelPricesSchema.describe('Prices that are set here. They override the list prices.'),
    listPrices: z
      .strictObject({
        asOf: z.string().describe('Date of the prices, in the form YYYY-MM-DD.'),
        models: modelPricesSchema.describe('Prices by model name.'),
      })
      .describe('List prices of the providers on the given date. They are not updated automatically.'),
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
        'Saved fields that have no effect because an environment variable overrides them, with the reason.',
      ),
  })
  .meta({ id: 'UpdatedSettings' });
export type UpdatedSettings = z.infer<typeof updatedSettingsSchema>;
