import * as z from 'zod';
import { providerIdSchema } from '../ports/language-model.ts';

export const modelsQuery = z.object({
  provider: providerIdSchema.optional().describe('default: the configured one'),
});

export const modelsSchema = z
  .strictObject({
    provider: providerIdSchema.describe('whose these are'),
    models: z.array(z.strictObject({ id: z.string(), name: z.string() }).meta({ id: 'Model' })),
  })
  .meta({ id: 'Models' });
