/**
 * Every stable code of an error, with the HTTP status that it has. A code travels in the header `x-error-code` and in the
 * stream part `data-error`; clients act on it, so no code ever changes its meaning or its status, and none is removed.
 * What each code means stands in lib/error-messages/en.json, and in Chinese beside it.
 */
export const ERROR_CODES = {
  answer_interrupted: 500,
  backup_refused: 400,
  body_timeout: 408,
  budget_used_up: 429,
  cluster_operation_blocked: 403,
  conflict: 409,
  dataset_file_failed: 502,
  disk_full: 507,
  feishu_refused: 502,
  file_damaged: 400,
  file_encrypted: 400,
  file_format_unsupported: 400,
  file_has_no_text: 400,
  file_system_denied: 403,
  file_system_read_only: 403,
  file_too_large_to_read: 400,
  forbidden: 403,
  function_failed: 502,
  idempotency_answer_lost: 409,
  idempotency_key_reused: 409,
  internal_error: 500,
  invalid_credential: 401,
  invalid_range: 416,
  invalid_value: 400,
  mcp_tool_failed: 400,
  method_not_allowed: 405,
  missing_value: 400,
  model_answer_unusable: 502,
  not_configured: 503,
  not_found: 404,
  rate_limited: 429,
  report_budget_used_up: 429,
  request_broken_off: 400,
  request_head_too_large: 400,
  request_in_progress: 409,
  request_timeout: 504,
  route_not_found: 404,
  run_interrupted: 500,
  run_timeout: 504,
  server_busy: 503,
  too_large: 413,
  unknown_field: 400,
  upstream_failed: 502,
  wecom_refused: 502,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The codes of one status, so that a class of errors takes only its own. */
export type CodeOf<Status extends number> = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code] extends Status ? Code : never;
}[ErrorCode];

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);
}
