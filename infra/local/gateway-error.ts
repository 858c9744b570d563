import { ServiceError } from '../../lib/errors.ts';
import { FunctionTimeout } from './lambda-runtime.ts';

/** Throws the error that API Gateway returns for a function that failed or timed out. */
export function gatewayError(error: unknown): never {
  if (error instanceof FunctionTimeout) throw new ServiceError(504, 'the request took too long');
  throw new ServiceError(502, 'the function failed', { cause: error });
}
