import * as z from 'zod';
import { isLoopbackHost, isLoopbackUrl } from '../api-contract/loopback.ts';
import { ROLES } from '../api-contract/roles.ts';
import type { ServiceEnvironment } from './service.ts';
import { choice, commaList, httpUrl } from './values.ts';

/** Variables of the environment, with a check and a default. */
export const authVariables = {
  AUTH_MODE: choice(['token', 'oidc', 'disabled']).optional(),
  OIDC_ISSUER: httpUrl()
    .refine(
      (url) => !url.includes('/.well-known/'),
      'must be the issuer that its document names, without /.well-known/',
    )
    .optional(),
  OIDC_AUDIENCE: z.string().optional(),
  OIDC_ROLE_CLAIM: z.string().default('role'),
  OIDC_GROUPS_CLAIM: z.string().default('groups'),
  OIDC_ROLE_MAP: commaList().pipe(z.array(groupRole())).default([]),
  OIDC_API_TOKENS: choice(['on', 'off']).default('off'),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_SCOPE: z
    .string()
    .refine((scope) => scope.split(' ').includes('openid'), 'must include openid')
    .default('openid'),
  OIDC_ORIGINS: commaList().pipe(z.array(httpUrl())).default([]),
};

/** A group and its role: `GROUP=ROLE`. */
function groupRole() {
  const error = `must be groups with their roles, such as researchers=member,research-admins=admin. The roles are ${ROLES.join(', ')}`;
  return z.string().transform((text, context) => {
    const at = text.lastIndexOf('=');
    const [group, role] = [text.slice(0, at).trim(), z.enum(ROLES).safeParse(text.slice(at + 1).trim()).data];
    if (at > 0 && group !== '' && role !== undefined) return { group, role };
    context.addIssue(error);
    return z.NEVER;
  });
}

export type AuthEnvironment = z.infer<z.ZodObject<typeof authVariables>>;

type AuthMode = 'token' | 'oidc' | 'disabled';

/** Returns the settings for how callers authenticate. */
export function readAuth(env: AuthEnvironment & ServiceEnvironment) {
  const mode = readMode(env);
  if (mode === 'oidc' && !(env.OIDC_ISSUER && env.OIDC_AUDIENCE)) {
    throw new Error('AUTH_MODE=oidc needs OIDC_ISSUER and OIDC_AUDIENCE. Set both.');
  }
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = env;
  const claims = { roleClaim: env.OIDC_ROLE_CLAIM, groupsClaim: env.OIDC_GROUPS_CLAIM };
  /** True if the service accepts its own API tokens. */
  const acceptsTokens = mode === 'token' || (mode === 'oidc' && env.OIDC_API_TOKENS === 'on');
  const login = readLogin(env, mode);
  return { mode, issuer, audience, ...claims, roleMap: env.OIDC_ROLE_MAP, acceptsTokens, login };
}

/**
 * `disabled` is the default only if every address is loopback, and refused otherwise, so that no one opens
 * the service by accident. A proxy on this host for PUBLIC_URL, or a page of CORS_ORIGINS, would make its
 * users administrators.
 */
function readMode(env: AuthEnvironment & ServiceEnvironment): AuthMode {
  const outside = [
    ...(isLoopbackHost(env.HOST) && env.AWS_LAMBDA_FUNCTION_NAME === undefined ? [] : ['HOST']),
    ...(env.PUBLIC_URL === undefined || isLoopbackUrl(env.PUBLIC_URL) ? [] : ['PUBLIC_URL']),
    ...(env.CORS_ORIGINS.every(isLoopbackUrl) ? [] : ['CORS_ORIGINS']),
  ];
  const mode = env.AUTH_MODE ?? (outside.length > 0 ? 'token' : 'disabled');
  if (mode === 'disabled' && outside.length > 0) {
    throw new Error(
      `AUTH_MODE=disabled is only allowed with a loopback ${outside[0]}, because everyone who reaches the service is an administrator. Set AUTH_MODE to token or oidc.`,
    );
  }
  return mode;
}

/**
 * Returns the settings with which the console signs people in through the issuer; undefined if it asks for a
 * token.
 */
function readLogin(env: AuthEnvironment, mode: AuthMode) {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: clientId, OIDC_SCOPE: scope } = env;
  if (mode !== 'oidc' || !issuer || !audience || !clientId) return undefined;
  return { issuer, audience, clientId, scope, origins: loginOrigins(issuer, env.OIDC_ORIGINS) };
}

/**
 * Returns the origins from which the console may request a credential: those of the issuer, and of its other endpoints.
 */
export function loginOrigins(issuer: string, others: string[]): string[] {
  return [...new Set([issuer, ...others].map((each) => new URL(each).origin))];
}
