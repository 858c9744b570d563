import * as z from 'zod';
import { timestampSchema } from '../../ports/clock.ts';
import { collection } from '../../records/collection.ts';
import { budgetScopeSchema } from '../schema.ts';

const MOST_BUDGETS = 500;
const SERVICE = 'service';

const fields = {
  scope: budgetScopeSchema,
  id: z
    .string()
    .min(1)
    .max(200, { abort: true })
    .refine((id) => id.isWellFormed(), 'must be well-formed Unicode')
    .describe('ID of the workspace or the caller. For the scope `service`, it is `service` and optional.'),
  monthlyUsd: z
    .number()
    .min(0)
    .max(1e9)
    .optional()
    .describe('Monthly limit in USD. Only models that have a price count.'),
  monthlyTokens: z
    .int()
    .min(0)
    .max(1e15)
    .optional()
    .describe('Monthly limit in tokens: input, output, and embedding tokens.'),
};

/** The usage allowed per UTC month. If there are two limits, the one that is reached first counts. */
const budgetSchema = z.object(fields);
export type Budget = z.infer<typeof budgetSchema>;

/** All budgets in one record, because they are replaced together, and a process reads them at once. */
export const budgetLists = collection({
  kind: 'budget-list',
  schema: z.object({
    budgets: z.array(budgetSchema),
    /** Changes with each update. */
    stamp: z.string(),
  }),
  key: (_id: object) => ({ partition: 'BUDGETS', sort: 'service' }),
});

/** Accepts the response of GET, and ignores its `used`, `resetsAt`, `warning`, and `name`. */
export const budgetsBody = z
  .array(
    z
      .strictObject({
        ...fields,
        id: fields.id.optional(),
        used: z.unknown().optional(),
        resetsAt: z.unknown().optional(),
        warning: z.unknown().optional(),
        name: z.unknown().optional(),
      })
      .refine(({ scope, id }) => scope === 'service' || id !== undefined, {
        path: ['id'],
        error: 'is required: the ID of the workspace or the caller',
      })
      .refine(
        ({ monthlyUsd, monthlyTokens }) => monthlyUsd !== undefined || monthlyTokens !== undefined,
        'must have monthlyUsd or monthlyTokens',
      )
      .refine(
        ({ scope, id = SERVICE }) => scope !== 'service' || id === SERVICE,
        'must have the id "service" for the scope service',
      )
      .meta({
        title: 'BudgetInput',
        description:
          'Budget to set. It needs `monthlyUsd` or `monthlyTokens`, and `id` unless its scope is `service`.',
      })
      .transform(
        ({ scope, id = SERVICE, monthlyUsd, monthlyTokens }): Budget => ({
          scope,
          id,
          monthlyUsd,
          monthlyTokens,
        }),
      ),
  )
  .max(MOST_BUDGETS)
  .refine(
    (budgets) => new Set(budgets.map(nameOf)).size === budgets.length,
    'must have at most one budget per scope and id',
  );

export function nameOf({ scope, id }: Pick<Budget, 'scope' | 'id'>): string {
  return `${scope} ${id}`;
}

/** Describes the models whose usage a dollar-only budget doesn't cover. */
export function describeBlind(
  { monthlyUsd, monthlyTokens }: Budget,
  { unpricedModels }: { unpricedModels: string[] },
): string | undefined {
  if (monthlyUsd === undefined || monthlyTokens !== undefined || unpricedModels.length === 0)
    return undefined;
  const shown = unpricedModels.slice(0, MOST_SHOWN).join(', ');
  const more = unpricedModels.length > MOST_SHOWN ? ` and ${unpricedModels.length - MOST_SHOWN} more` : '';
  return `the limit of ${monthlyUsd.toLocaleString('en-US')} USD doesn't apply to ${shown}${more}, because no price is set. Set one in the settings (0 for free models)`;
}

const MOST_SHOWN = 3;

export const budgetStateSchema = z
  .strictObject({
    ...fields,
    name: z
      .string()
      .optional()
      .describe('Name of the caller, if the scope is `caller` and a name is known. Ignored in requests.'),
    used: z.strictObject({
      tokens: z.int().describe('Number of tokens used this month.'),
      costUsd: z.number().describe('Cost of the models that have a price, in USD.'),
      unpricedModels: z
        .array(z.string())
        .describe('Names of used models that have no price. Set prices in the settings.'),
    }),
    warning: z
      .string()
      .optional()
      .describe(
        'Warning about models that `monthlyUsd` does not limit, because they have no price and were used this month.',
      ),
    resetsAt: timestampSchema.describe('Start of the next month (UTC), when the budget resets.'),
  })
  .meta({ id: 'Budget' });
export type BudgetState = z.infer<typeof budgetStateSchema>;
