import * as z from 'zod';
import { providerIdSchema } from '../ports/language-model.ts';

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
    models: z.array(z.strictObject({ id: z.string(), name: z.string() }).meta({ id: 'Model' })),
  })
  .meta({ id: 'Models' });
