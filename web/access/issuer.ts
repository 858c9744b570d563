import * as oauth from 'oauth4webapi';
import { isLoopbackUrl } from '../../lib/api-contract/loopback.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { REDIRECT_PATH } from './redirect.ts';
import { SignInError } from './sign-in-error.ts';

export type Login = NonNullable<Schemas['Login']>;

/** Key of the state that stays in the tab while the person is on the issuer's page. */
const KEPT = 'login under way';

interface UnderWay {
  verifier: string;
  state: string;
  nonce: string;
  returnTo: string;
}

export interface Session {
  token: string;
  lifeMs: number;
  /** Gets the next token without the person's action. */
  refreshToken?: string | undefined;
}

/**
 * Sends the person to the issuer: code flow with PKCE (RFC 7636), so that the code in the URL is useless to
 * anyone who sees it. `asAnother` makes the issuer ask for the account again instead of reusing its own
 * session.
 */
export async function goToIssuer(login: Login, returnTo: string, asAnother = false): Promise<void> {
  const { authorization_endpoint: endpoint } = await discover(login);
  if (endpoint === undefined) throw new Error('no authorization_endpoint');
  const underWay: UnderWay = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    returnTo,
  };
  sessionStorage.setItem(KEPT, JSON.stringify(underWay));
  const url = new URL(endpoint);
  const { verifier, state, nonce } = underWay;
  const asked = {
    client_id: login.clientId,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: login.scope,
    audience: login.audience,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(asAnother && { prompt: 'login' }),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Exchanges the code in the URL for a token, once, and only in the tab that requested it. */
export async function comeBack(login: Login, address: URL): Promise<Session & { returnTo: string }> {
  const underWay = takeUnderWay();
  if (underWay === undefined) throw new SignInError('access.otherTab');
  const session = await exchange(login, address, underWay).catch(inItsWords);
  return { ...session, returnTo: underWay.returnTo };
}

async function exchange(login: Login, address: URL, underWay: UnderWay): Promise<Session> {
  const server = await discover(login);
  const client = { client_id: login.clientId };
  const params = oauth.validateAuthResponse(server, client, address, underWay.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    params,
    redirectUri(),
    underWay.verifier,
    options(login),
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: underWay.nonce,
  });
  return sessionOf(tokens);
}

const MAX_TEXT = 500;

/** Throws the issuer's own description of a refusal, which the library's message doesn't contain. */
function inItsWords(error: unknown): never {
  if (!(error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError))
    throw error;
  const { error: code, error_description: text } = error;
  const told = text === undefined ? code : `${text} (${code})`;
  throw new Error(told.slice(0, MAX_TEXT), { cause: error });
}

export async function renew(login: Login, refreshToken: string): Promise<Session> {
  const server = await discover(login);
  const client = { client_id: login.clientId };
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    refreshToken,
    options(login),
  );
  const session = sessionOf(await oauth.processRefreshTokenResponse(server, client, response));
  return { refreshToken, ...session };
}

function sessionOf({ access_token, expires_in, refresh_token }: oauth.TokenEndpointResponse): Session {
  return {
    token: access_token,
    lifeMs: (expires_in ?? 3600) * 1000,
    ...(refresh_token && { refreshToken: refresh_token }),
  };
}

async function discover(login: Login): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(login.issuer);
  const response = await oauth.discoveryRequest(issuer, options(login)).catch((error: unknown) => {
    // The error that fetch throws without a response, even if the issuer only doesn't allow this page to read
    // it (CORS).
    throw error instanceof TypeError ? new SignInError('access.issuerUnreached') : error;
  });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** Allows plain http for an issuer on this host, because it has no certificate. */
function options({ issuer }: Login) {
  return { [oauth.allowInsecureRequests]: isLoopbackUrl(issuer) };
}

const redirectUri = () => new URL(REDIRECT_PATH, location.origin).href;

function takeUnderWay(): UnderWay | undefined {
  const kept = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  return kept === null ? undefined : (JSON.parse(kept) as UnderWay);
}
