import * as z from 'zod';

const feature = z.boolean().nullable();
const speed = z.number().min(0).nullable();

/** The tested or known capabilities of a model and its server. */
export const capabilitiesSchema = z
  .strictObject({
    tools: feature.describe('Whether the model calls tools, which the agent needs. Null if unknown.'),
    jsonSchema: feature.describe('Whether its answers can be bound to a JSON schema. Null if unknown.'),
    system: feature.describe('Whether its chat template has a system role. Null if unknown.'),
    thinking: feature.describe('Whether it thinks before it answers. Null if unknown.'),
    vision: z.boolean().describe('Whether images are sent to it.'),
    readTokensPerSecond: speed.describe('Tokens of a prompt that it reads per second. Null if unknown.'),
    writeTokensPerSecond: speed.describe('Tokens that it writes per second. Null if unknown.'),
    checkedAt: z.iso
      .datetime()
      .nullable()
      .describe('Time of the check that found this. Null for a hosted model, which is not checked.'),
  })
  .meta({ id: 'ModelCapabilities' });
export type Capabilities = z.infer<typeof capabilitiesSchema>;

/** The results of a check. */
export type FoundCapabilities = Omit<Capabilities, 'vision' | 'checkedAt'>;

/** A stored check of a model at one server. */
export const storedCheckSchema = capabilitiesSchema
  .omit({ vision: true })
  .extend({ server: z.string(), checkedAt: z.string() });
export type StoredCheck = z.infer<typeof storedCheckSchema>;

export const checkModelSchema = z.strictObject({
  model: z.string().trim().min(1).max(200).describe('ID of the model to check.'),
});
