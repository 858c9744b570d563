import { ServiceError } from '../../lib/errors.ts';
import { FunctionTimeout } from './lambda-runtime.ts';

/** What API Gateway makes of a function that failed or took too long. */
export function gatewayError(error: unknown): never {
  if (error instanceof FunctionTimeout)
    throw new ServiceError('request_timeout', 'The request took too long.');
  throw new ServiceError('function_failed', 'The function failed.', { cause: error });
}
