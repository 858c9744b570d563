/** A failure after the response had started. It is the body of a response with status 202. */
export interface LateError {
  error: string;
  /** The status, `x-error-code`, `x-error-field`, and `retry-after` that the response would have had. */
  status: number;
  code: string;
  field?: string;
  retryAfter?: number;
}

/** Returns the failure that a body reports. No operation has a result in this form. */
export function readLateError(body: unknown): LateError | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, status, code } = body as Partial<Record<keyof LateError, unknown>>;
  const isError = typeof error === 'string' && typeof code === 'string' && Number(status) >= 400;
  return isError && typeof status === 'number' ? (body as LateError) : undefined;
}
