import * as z from 'zod';
import { providerIdSchema, windowSourceSchema } from '../ports/language-model.ts';
import { capabilitiesSchema } from './capabilities.ts';

export const modelsQuery = z.object({
  provider: providerIdSchema
    .optional()
    .describe(
      'Model provider: `a` (OpenAI-compatible), `b` (Anthropic), or `c` (Gemini). Defaults to the configured provider.',
    ),
});

export const modelsSchema = z
  .strictObject({
    provider: providerIdSchema.describe('Provider of the models.'),
    defaultModel: z
      .string()
      .nullable()
      .describe('ID of the model that is used when a request names none. Null for another provider.'),
    models: z.array(
      z
        .strictObject({
          id: z.string(),
          name: z.string(),
          contextTokens: z
            .int()
            .optional()
            .describe(
              'Context window, in tokens of the prompt and the answer together. Absent if it is unknown.',
            ),
          contextTokensFrom: windowSourceSchema.optional(),
          capabilities: capabilitiesSchema
            .optional()
            .describe('What the model can do. Missing if nothing is known: see `checkModel`.'),
        })
        .meta({ id: 'Model' }),
    ),
  })
  .meta({ id: 'Models' });
