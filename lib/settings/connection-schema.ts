import * as z from 'zod';
import { pastedBaseUrl } from '../api-contract/pasted.ts';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { contextTokensSchema, providerIdSchema } from '../ports/language-model.ts';
import { keyField, nameField, urlField } from '../validation/pasted-fields.ts';

export const connectionParams = z.object({
  provider: providerIdSchema.describe(
    'Model provider: `a` (OpenAI-compatible), `b` (Anthropic), or `c` (Gemini).',
  ),
});

/** Normalized, so that two URLs can be compared, and without credentials, which would be a second secret. */
export const baseUrlSchema = urlField(
  /^https?$/,
  'must be an http or https URL such as https://example.org/v1',
  pastedBaseUrl,
)
  .max(500)
  .refine((text) => {
    const { username, password } = new URL(text);
    return username + password === '' && !/[?#]/.test(text); // a bare `#` would cut off appended paths
  }, 'must not contain a user name, a password, a query, or a fragment')
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

const target = {
  apiKey: keyField
    .max(1000)
    .nullable()
    .optional()
    .describe(
      'API key. Omitted, the stored key stays, if `baseUrl` does too. Null for a server without keys.',
    ),
  baseUrl: baseUrlSchema
    .nullable()
    .optional()
    .describe('Base URL of the API. Null for that of the provider.'),
};

export const connectSchema = z.strictObject({
  ...target,
  model: nameField
    .max(200)
    .optional()
    .describe('Model that becomes the default model of the service. Omitted, the default stays.'),
  contextTokens: contextTokensSchema
    .nullable()
    .optional()
    .describe('Context window of `model`, in tokens. Omitted or null, the model server is asked for it.'),
  embeddingModel: nameField
    .max(200)
    .nullable()
    .optional()
    .describe('Model for semantic search. Null to use none of this provider.'),
});
export type Connect = z.infer<typeof connectSchema>;

export const testSchema = z.strictObject({
  ...target,
  model: nameField.max(200).optional().describe('Model that the provider must offer.'),
});
export type Test = z.infer<typeof testSchema>;

const connectionStateSchema = z
  .strictObject({
    provider: providerIdSchema.describe('Letter of the provider.'),
    name: z.string().describe('Name of the provider, such as `Anthropic`.'),
    source: z
      .enum(['environment', 'settings', 'none'])
      .meta({ title: 'ConnectionSource' })
      .describe(
        'Origin of the connection: environment variables or secrets of the operator, which the API does not change, or the settings.',
      ),
    hasKey: z.boolean().describe('Whether a key is set.'),
    baseUrl: z.string().nullable().describe('Base URL of the API. Null for that of the provider.'),
    embeddingModel: z
      .string()
      .nullable()
      .describe('Model for semantic search. Null if the settings name none.'),
  })
  .meta({ id: 'ModelConnection' });
export type ConnectionState = z.infer<typeof connectionStateSchema>;

export const connectionsSchema = z
  .strictObject({
    connections: z.array(connectionStateSchema).describe('One entry per provider.'),
    asksHost: z
      .boolean()
      .describe('Whether the service can look for model servers on its own host. False on AWS.'),
  })
  .meta({ id: 'ModelConnections' });
export type Connections = z.infer<typeof connectionsSchema>;

const kindedModels = z.array(
  z
    .strictObject({
      id: z.string().describe('ID of the model.'),
      name: z.string().describe('Name of the model.'),
      kind: z
        .enum(['chat', 'embedding', 'other'])
        .meta({ title: 'ModelKind' })
        .describe('Purpose of the model, by its name. `chat` if it is unknown.'),
    })
    .meta({ id: 'KindedModel' }),
);

export const testedSchema = z
  .strictObject({
    ok: z.boolean().describe('Whether the provider accepted the key and listed its models.'),
    code: z
      .enum(Object.keys(ERROR_CODES) as ErrorCode[])
      .meta({ title: 'TestCode' })
      .nullable()
      .describe('Error code of the failure, such as `model_credential_refused`. Null if there is none.'),
    message: z.string().nullable().describe('Description of the failure. Null if there is none.'),
    models: kindedModels.describe('Models that the provider offers, sorted by ID.'),
  })
  .meta({ id: 'TestedModelConnection' });
export type Tested = z.infer<typeof testedSchema>;

export const localServersSchema = z
  .strictObject({
    asksHost: z.boolean().describe('Whether the service looked. False on AWS.'),
    servers: z
      .array(
        z.strictObject({
          kind: z
            .enum(['ollama', 'lm-studio', 'llama-cpp', 'vllm', 'other'])
            .meta({ title: 'LocalServerKind' })
            .describe("Kind of the server. `other` has OpenAI's API, and doesn't say what it is."),
          baseUrl: z.string().describe('Base URL of its OpenAI-compatible API.'),
          models: kindedModels.describe('Models that the server offers, sorted by ID.'),
        }),
      )
      .describe('Model servers that answer.'),
  })
  .meta({ id: 'LocalModelServers' });
export type LocalServers = z.infer<typeof localServersSchema>;
