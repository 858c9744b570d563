import * as z from 'zod';
import type { Caller } from '../access/caller.ts';
import { ownerKey } from '../access/owner-key.ts';
import { MAX_FACT_CHARACTERS } from '../api-contract/fact-limit.ts';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';

/** Maximum facts per person, and per workspace. Together they have at most 100 KB, a quarter of a record. */
export const MAX_FACTS = 50;

const MEMORY_SCOPES = ['person', 'workspace'] as const;
export const memoryScopeSchema = z.enum(MEMORY_SCOPES).meta({ title: 'MemoryScope' });

/**
 * Invisible characters, and half characters. Joiners and variation selectors belong to scripts and emoji, but in a row
 * they could hide a text.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\ufff9-\ufffb]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}|(?:\u200c|\u200d|\ufe0e|\ufe0f){3}/u;

/** One line of text that people see completely, because what they confirm is what the model reads. */
export const factTextSchema = z
  .string()
  .max(MAX_FACT_CHARACTERS, { abort: true })
  .overwrite((text) => text.replace(/\s+/g, ' ').trim())
  .min(1)
  .refine((text) => !UNSEEN.test(text), "can't contain invisible characters")
  .meta({ pattern: '\\S' });

const factFields = {
  id: z.string().describe('ID of the fact.'),
  text: z.string().describe('Text of the fact, on one line.'),
  shared: z
    .boolean()
    .describe(
      'Whether the fact is also used where others can read the answer: in agent runs, and in shared conversations. Always true for a fact of a workspace.',
    ),
  createdBy: z.string().describe('ID of the caller who wrote or confirmed the fact.'),
  createdAt: timestampSchema,
  updatedAt: timestampSchema.describe(
    'Time of the latest change. Send it as `ifUpdatedAt` to change this version.',
  ),
};

const storedFactSchema = z.object(factFields);
export type StoredFact = z.infer<typeof storedFactSchema>;

/** All facts of a person or a workspace, oldest first: one read per question, and an exact limit. */
export const memories = collection({
  kind: 'memory',
  schema: z.object({
    scope: memoryScopeSchema,
    /** A hash of the caller's ID, or the ID of the workspace. */
    owner: z.string(),
    facts: z.array(storedFactSchema),
    version: z.int(),
  }),
  key: ({ scope, owner }: MemoryOwner) => ({ partition: `MEMORY#${scope}#${owner}`, sort: 'FACTS' }),
});

export interface MemoryOwner {
  scope: (typeof MEMORY_SCOPES)[number];
  owner: string;
}

export function memoryOfPerson({ id }: Pick<Caller, 'id'>): MemoryOwner {
  return { scope: 'person', owner: ownerKey(id) };
}

export function memoryOfWorkspace({ id }: { id: string }): MemoryOwner {
  return { scope: 'workspace', owner: id };
}

export const memoryQuery = z
  .object({
    scope: memoryScopeSchema.describe('Whose facts: those of the caller, or of a workspace.'),
    workspaceId: idSchema.optional().describe('ID of the workspace. Required for its facts.'),
  })
  .refine(({ scope, workspaceId }) => (scope === 'workspace') === (workspaceId !== undefined), {
    path: ['workspaceId'],
    message: 'must be given for the scope workspace, and only for it',
  });
export const memoryParams = z.object({ memoryId: idSchema.describe('ID of the fact.') });

const shared = z
  .boolean()
  .optional()
  .describe(
    'Whether a fact of the caller is also used in agent runs and shared conversations, which others can read. By default false, but true on a host without sign-in. Ignored for a workspace.',
  );
const text = factTextSchema.describe(
  `Fact, with at most ${MAX_FACT_CHARACTERS} characters. White space becomes single spaces.`,
);

export const addMemoryBody = z.strictObject({ text, shared });
export type AddedFact = z.output<typeof addMemoryBody>;
export const changeMemoryBody = z
  .strictObject({
    text: text.optional(),
    shared,
    ifUpdatedAt: timestampSchema
      .optional()
      .describe(
        'Value of `updatedAt` when you read the fact. The request returns 409 if the fact was changed after that.',
      ),
  })
  .refine(({ text, shared }) => text !== undefined || shared !== undefined, {
    message: 'must have text or shared',
  });
export type FactChange = z.output<typeof changeMemoryBody>;

export const memorySchema = z
  .strictObject({
    ...factFields,
    scope: memoryScopeSchema,
    workspaceId: z.string().nullable().describe('ID of the workspace. Null for a fact of the caller.'),
    createdByName: z
      .string()
      .optional()
      .describe('Present name of the user or the token with the ID in `createdBy`, as far as it is known.'),
  })
  .meta({ id: 'Memory' });
export type Memory = z.infer<typeof memorySchema>;
