import { setTimeout as sleep } from 'node:timers/promises';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Caller } from '../../lib/access/caller.ts';
import { useProxies } from '../../lib/adapters/outbound/proxy.ts';
import { readConfig } from '../../lib/config.ts';
import { Forbidden } from '../../lib/errors.ts';
import { callerContext } from '../../lib/http/caller-context.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { reportSeldom } from '../../lib/telemetry/events.ts';
import { authorizeToken, type Headers, isToken, readBearer } from '../../lib/tokens/authorize.ts';
import { localCaller } from '../../lib/tokens/local-caller.ts';
import { oidcVerifier, WithoutRole } from '../../lib/tokens/oidc.ts';
import { whyRefused } from '../../lib/tokens/why-refused.ts';
import { openRecords } from '../../lib/wiring/records.ts';

/**
 * A token that doesn't exist, which is looked up during initialization. The first lookup connects, and loads
 * its part of the SDK. Lambda gives this function a full CPU until it's initialized, and a seventh of one
 * after that (256 MB). If the store doesn't respond in time, the first caller's request tries again.
 */
const NOBODYS = `wrs_${'-'.repeat(43)}`;
const WARM_UP_MS = 1000;
/** Characters of a request's path in the log. */
const MAX_PATH = 200;

const config = readConfig();
await useProxies(config);
const verify = await verifier();

/** Authorizes every route except the public ones. API Gateway turns only the message `Unauthorized` into a 401. */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  try {
    const caller = await verify(event.multiValueHeaders ?? {}, event.requestContext.protocol);
    if (caller === undefined) await refuse(event);
    return policy(event.methodArn, 'Allow', caller);
  } catch (error) {
    if (error instanceof Forbidden) return deny(event, error);
    throw error;
  }
}

/** Throws the error for a 401, after a log line with the address and the reason. */
async function refuse(event: APIGatewayRequestAuthorizerEvent): Promise<never> {
  reportRefusal(event, await whyNot(readBearer(event.multiValueHeaders ?? {})).catch(String));
  throw new Error('Unauthorized');
}

/** `sub` is the user whom the issuer knows, but who has no role here. */
function reportRefusal(
  { requestContext, path }: APIGatewayRequestAuthorizerEvent,
  reason: string,
  sub?: string,
): void {
  const { requestId, identity } = requestContext;
  const address = identity?.sourceIp;
  reportSeldom('credential_refused', `${address} ${reason} ${sub ?? ''}`, 'a credential was refused', {
    ...{ address, reason, path: path.slice(0, MAX_PATH), requestId, ...(sub !== undefined && { sub }) },
  });
}

/**
 * Denies a request, and logs the reason, because API Gateway's own text for a Deny doesn't contain it. A
 * single host passes the reason on.
 */
function deny(event: APIGatewayRequestAuthorizerEvent, error: Forbidden): APIGatewayAuthorizerResult {
  const { code, message } = error;
  reportRefusal(event, message, error instanceof WithoutRole ? error.sub : undefined);
  return { ...policy(event.methodArn, 'Deny'), context: { code, reason: message } };
}

/** Returns the function for the auth mode that maps a request's headers to a caller; undefined means 401. */
async function verifier(): Promise<(headers: Headers, protocol: string) => Promise<Caller | undefined>> {
  const { mode, issuer = '', audience = '', acceptsTokens } = config.auth;
  if (mode === 'disabled')
    return async (headers, protocol) => localCaller(headers, config.corsOrigins, protocol);
  const ports = { records: await openRecords(config), clock: systemClock };
  const checkJwt = mode === 'oidc' ? oidcVerifier({ ...config.auth, issuer, audience }) : undefined;
  const checkToken = acceptsTokens ? await tokenVerifier(ports) : undefined;
  return async (headers) => {
    const credential = readBearer(headers);
    if (credential === undefined) return undefined;
    return (isToken(credential) ? checkToken : checkJwt)?.(credential);
  };
}

/** Returns why a credential is refused. Only stored tokens show more than that it is invalid. */
async function whyNot(credential: string | undefined): Promise<string> {
  if (credential === undefined) return 'malformed';
  if (!config.auth.acceptsTokens || !isToken(credential)) return 'invalid';
  return whyRefused({ records: await openRecords(config), clock: systemClock }, credential);
}

async function tokenVerifier(ports: Parameters<typeof authorizeToken>[0]) {
  const check = (credential: string) => authorizeToken(ports, credential);
  if (config.aws !== undefined)
    await Promise.race([check(NOBODYS).catch(() => undefined), sleep(WARM_UP_MS, undefined, { ref: false })]);
  return check;
}

/**
 * Returns a policy for the whole API rather than one route, because API Gateway may reuse it for the caller's
 * next request to another route. The route itself checks the role.
 */
function policy(methodArn: string, effect: 'Allow' | 'Deny', caller?: Caller): APIGatewayAuthorizerResult {
  const [api, stage] = methodArn.split('/');
  return {
    principalId: caller?.id ?? 'unknown',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: `${api}/${stage}/*` }],
    },
    context: caller && callerContext(caller),
  };
}
