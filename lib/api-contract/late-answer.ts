/** The result of a request that failed after its response had started: the body of a response with status 202. */
export interface LateError {
  error: string;
  /** What the status, `x-error-code`, `x-error-field`, and `retry-after` would have been. */
  status: number;
  code: string;
  field?: string;
  retryAfter?: number;
}

/** Returns the failure that a body reports. No result of an operation has this form, so it tells the two apart. */
export function readLateError(body: unknown): LateError | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, status, code } = body as Partial<Record<keyof LateError, unknown>>;
  const isError = typeof error === 'string' && typeof code === 'string' && Number(status) >= 400;
  return isError && typeof status === 'number' ? (body as LateError) : undefined;
}
