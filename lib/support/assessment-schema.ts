import * as z from 'zod';
import { DECIDERS, type Finding, RULES } from '../api-contract/findings.ts';
import { SUPPORTS } from '../api-contract/support.ts';
import { filePartShape } from '../ports/file-part.ts';

export const supportSchema = z
  .enum(SUPPORTS)
  .describe(
    'How far the quotes of the sentence support it. `unjudged`: code found nothing wrong, and no model judged it.',
  )
  .meta({ title: 'Support' });

export const deciderSchema = z
  .enum(DECIDERS)
  .describe('What decided on the support.')
  .meta({ title: 'Decider' });

/** Not strict, because records are parsed with it too. */
export const findingSchema = z
  .object({
    rule: z.enum(RULES).meta({ title: 'FindingRule' }).describe('Rule that fired.'),
    own: z
      .string()
      .describe('Words of the sentence, or its reference. Empty if the rule is about all of the sentence.'),
    found: z.string().optional().describe('Words of the source in their place.'),
    where: z
      .object({
        path: z.string().describe('Path of the file.'),
        startLine: z.int().optional().describe('First line, starting at 1.'),
        endLine: z.int().optional().describe('Last line.'),
        ...filePartShape,
        recognized: z.boolean().optional().describe('Whether the text comes from OCR.'),
      })
      .meta({ title: 'FoundPlace' })
      .optional()
      .describe('Place in a file that the rule is about.'),
  })
  .meta({ id: 'Finding' }) satisfies z.ZodType<Finding>;
