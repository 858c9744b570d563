import { ServiceError } from '../../lib/errors.ts';
import { FunctionTimeout } from './lambda-runtime.ts';

/** What API Gateway makes of a function that failed or took too long. */
export function gatewayError(error: unknown): never {
  if (error instanceof FunctionTimeout) throw new ServiceError(504, 'the request took too long');
  throw new ServiceError(502, 'the function failed', { cause: error });
}
