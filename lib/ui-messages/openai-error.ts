import type { ErrorCode } from '../error-codes.ts';
import { errorDetails, errorText, knownError } from '../known-error.ts';

/** An error in the form of OpenAI's API. */
export interface OpenaiError {
  message: string;
  type: string;
  param: string | null;
  code: string;
}

/** The codes to which OpenAI's clients react. Other codes are the service's own. */
const OPENAI_CODES: Partial<Record<ErrorCode, string>> = {
  budget_used_up: 'insufficient_quota',
  invalid_credential: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
  unknown_field: 'unsupported_parameter',
  workspace_not_found: 'model_not_found',
};

const TYPES: Partial<Record<ErrorCode, string>> = {
  budget_used_up: 'insufficient_quota',
  rate_limited: 'rate_limit_error',
};

/** Statuses with which OpenAI's clients repeat requests, although a retry can't succeed here. */
const FINAL: ErrorCode[] = ['budget_used_up', 'conversation_changed'];

/**
 * Returns whether errors for a path have OpenAI's form, whichever part of the service refuses the request.
 */
export function isOpenaiPath(path: string): boolean {
  return path.startsWith('/api/openai/');
}

export function openaiError(error: unknown): OpenaiError {
  const { code, field } = errorDetails(error);
  const status = knownError(error)?.status ?? 500;
  return {
    message: errorText(error),
    type: TYPES[code] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: field ?? null,
    code: OPENAI_CODES[code] ?? code,
  };
}

/** Returns the headers that tell OpenAI's clients not to repeat a request. */
export function openaiHeaders(error: unknown): Record<string, string> {
  return FINAL.includes(errorDetails(error).code) ? { 'x-should-retry': 'false' } : {};
}
