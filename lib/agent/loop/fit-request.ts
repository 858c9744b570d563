import type { ModelRequest, ModelTool } from '../../ports/language-model.ts';
import type { PromptRoom } from '../../support/prompt-room.ts';
import { boundTokens, cutMiddleToTokens, mostTokens } from '../../text/count-tokens.ts';
import { fitSurely, fitTokens } from './fit-context.ts';

/** The share of a prompt's tokens for each part. The messages get the rest. */
const SYSTEM_SHARE = 1 / 3;
const TOOLS_SHARE = 0.44;
/** The number of characters in one tool result per token of the prompt: about a quarter of the prompt. */
const RESULT_CHARACTERS = 0.6;

/** Fits a step's request into the model's window: its system prompt, its tools, then its messages. */
export function fitRequest(
  { system, messages }: Pick<ModelRequest, 'system' | 'messages'>,
  tools: ModelTool[],
  { tokens }: PromptRoom,
): ModelRequest {
  const [ofRules, ofTools] = [boundTokens(system), boundTokens(JSON.stringify(tools))];
  const isLarge = ofRules <= tokens * SYSTEM_SHARE && ofTools <= tokens * TOOLS_SHARE;
  const usual = isLarge ? fitSurely(messages, tokens - ofRules - ofTools) : undefined;
  if (usual !== undefined) return { system, messages: usual, tools };
  const rules = cutMiddleToTokens(system, tokens * SYSTEM_SHARE);
  const offered = fitTools(tools, tokens * TOOLS_SHARE);
  const left = tokens - mostTokens(rules) - toolTokens(offered);
  return { system: rules, messages: fitTokens(messages, left), tools: offered };
}

/** Returns the maximum characters of one tool result; undefined for the default limit. */
export function resultRoom({ tokens }: PromptRoom): number | undefined {
  const characters = Math.floor(tokens * RESULT_CHARACTERS);
  return characters < USUAL_RESULT ? characters : undefined;
}

const USUAL_RESULT = 30_000;

/**
 * Returns the tools in full if they fit, otherwise briefly, otherwise only the first of them. The list starts
 * with the tools that read and write files.
 */
export function fitTools(tools: ModelTool[], tokens: number): ModelTool[] {
  if (toolTokens(tools) <= tokens) return tools;
  let left = tokens;
  return tools.map(inBrief).filter((tool) => {
    left -= toolTokens([tool]);
    return left >= 0;
  });
}

function toolTokens(tools: ModelTool[]): number {
  return mostTokens(JSON.stringify(tools));
}

/** Keeps the first sentence, and the arguments without their constraints, which are checked anyway. */
function inBrief({ name, description, inputSchema }: ModelTool): ModelTool {
  const [first = description] = /^.*?[.](?=\s|$)/s.exec(description) ?? [];
  return { name, description: first, inputSchema: bareSchema(inputSchema) as Record<string, unknown> };
}

const KEPT = [
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  '$defs',
];

function bareSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bareSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => KEPT.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, isNamed(keyword) ? bareEach(value) : bareSchema(value)]),
  );
}

/** Returns whether the keys below a keyword are names, not keywords. */
function isNamed(keyword: string): boolean {
  return keyword === 'properties' || keyword === '$defs';
}

function bareEach(named: unknown): unknown {
  return Object.fromEntries(
    Object.entries(named as object).map(([name, schema]) => [name, bareSchema(schema)]),
  );
}
