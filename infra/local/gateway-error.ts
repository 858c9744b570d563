import { ServiceError } from '../../lib/errors.ts';
import { FunctionTimeout } from './lambda-runtime.ts';

/** Throws the error that API Gateway returns for a function that failed or timed out. */
export function gatewayError(error: unknown): never {
  if (error instanceof FunctionTimeout)
    throw new ServiceError('request_timeout', 'The request took too long.');
  throw new ServiceError('function_failed', 'The function failed.', { cause: error });
}
