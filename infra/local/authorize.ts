import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';
import { Forbidden, NotConfigured, ServiceError, Unauthorized } from '../../lib/errors.ts';
import { log } from '../../lib/log.ts';
import { type Handler, invoke } from './lambda-runtime.ts';
import type { RouteDefinition } from './service-file.ts';

/** Milliseconds; API Gateway's limit for an authorizer. */
const TIMEOUT_MS = 10_000;

/** Calls the route's authorizer as API Gateway does, and returns its result for requestContext.authorizer. */
export async function authorize(
  load: (functionName: string) => Promise<Handler>,
  route: RouteDefinition,
  event: APIGatewayProxyEvent,
): Promise<Record<string, unknown> | undefined> {
  if (route.authorizer === undefined) return undefined;
  requireIdentity(event, route.authorizer.identityHeader);
  const methodArn = `arn:aws:execute-api:local:000000000000:local/local/${event.httpMethod}${event.path}`;
  const handler = await load(route.authorizer.function);
  const result = await invoke(handler, authorizerEvent(event, methodArn), TIMEOUT_MS).catch(refuse);
  const { principalId, policyDocument, context } = result as APIGatewayAuthorizerResult;
  if (!isAllowed(policyDocument.Statement, methodArn)) throw denial(context);
  return { principalId, ...context };
}

/**
 * Includes the authorizer's reason, if any; for example, the console opened under a host name without sign-in has no
 * token.
 */
function denial(context: APIGatewayAuthorizerResult['context']): Forbidden {
  const code = (['origin_refused', 'role_unknown'] as const).find((each) => each === context?.code);
  return code !== undefined && typeof context?.reason === 'string'
    ? new Forbidden(code, context.reason)
    : new Forbidden('role_required', 'Your token is not allowed to call this route.');
}

/**
 * Throws if the header is absent or empty, without calling the authorizer, like the gateway does with an identity
 * source.
 */
function requireIdentity({ headers }: APIGatewayProxyEvent, name: string | undefined): void {
  if (name === undefined) return;
  const given = Object.entries(headers).find(([header]) => header.toLowerCase() === name.toLowerCase());
  if (!given?.[1]) throw new Unauthorized('invalid_credential');
}

function authorizerEvent(event: APIGatewayProxyEvent, methodArn: string): APIGatewayRequestAuthorizerEvent {
  const { body: _body, isBase64Encoded: _encoded, ...rest } = event;
  return { ...rest, type: 'REQUEST', methodArn } as unknown as APIGatewayRequestAuthorizerEvent;
}

/**
 * Only an error with the message `Unauthorized` becomes a 401; any other error is a failure of the authorizer itself.
 * API Gateway returns a 500 for all of them; here, an unreachable issuer has its own code.
 */
function refuse(error: unknown): never {
  if (error instanceof Error && error.message === 'Unauthorized')
    throw new Unauthorized('invalid_credential');
  log.error('the authorizer failed', {}, error);
  // By its code, because the built authorizer has classes of its own.
  if (error instanceof Error && 'code' in error && error.code === 'issuer_unreachable')
    throw new NotConfigured('issuer_unreachable', error.message);
  throw new ServiceError('internal_error', 'Something went wrong in the service. Try again.', {
    cause: error,
  });
}

type Statement = APIGatewayAuthorizerResult['policyDocument']['Statement'][number];

/** An explicit Deny wins, and without an Allow access is denied. */
function isAllowed(statements: Statement[], methodArn: string): boolean {
  const matching = statements.filter((statement) =>
    resourcesOf(statement).some((pattern) => matches(pattern, methodArn)),
  );
  if (matching.some((statement) => statement.Effect === 'Deny')) return false;
  return matching.some((statement) => statement.Effect === 'Allow');
}

function resourcesOf(statement: Statement): string[] {
  return 'Resource' in statement ? [statement.Resource].flat().map(String) : [];
}

function matches(pattern: string, arn: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source}$`, 's').test(arn);
}
