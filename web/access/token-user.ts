const MAX_NAME = 200;

export interface TokenUser {
  /** The subject. An administrator finds the account by it. */
  id: string;
  name: string;
}

/** Returns the user of a JWT, only for display, because this page verifies nothing. Undefined for any other token. */
export function tokenUser(token: string): TokenUser | undefined {
  const { sub, name, preferred_username, email } = readPayload(token);
  const [shown] = [name, preferred_username, email, sub].flatMap(readText);
  const [id] = readText(sub);
  return id === undefined || shown === undefined ? undefined : { id, name: shown };
}

function readText(claim: unknown): string[] {
  return typeof claim === 'string' && claim.trim() !== '' ? [claim.trim().slice(0, MAX_NAME)] : [];
}

function readPayload(token: string): Record<string, unknown> {
  const [, payload = ''] = token.split('.');
  try {
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (each) => each.charCodeAt(0)));
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
