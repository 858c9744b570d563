import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { OBJECTS_PATH } from '../../api-contract/object-urls.ts';
import type { Config } from '../../config.ts';
import { Forbidden, InvalidInput } from '../../errors.ts';
import type { Objects, PresignedRequest } from '../../ports/objects.ts';
import { constantTimeEqual } from '../../secrets/constant-time-equal.ts';
import { removeOlder } from './atomic-file.ts';
import { objectsFolder, secretsFile } from './layout.ts';
import { writeObject } from './objects.ts';
import { ensureSecret } from './secrets.ts';

const KEY_NAME = 'object-signing-key';
/**
 * The folder of uploads. Abandoned parts expire, as they do under the bucket's lifecycle rule for `uploads/`.
 */
const UPLOADS = 'uploads';
const ABANDONED_MS = 2 * 24 * 3_600_000;

/** Signs PUT URLs of the local host, which acceptPresignedPut handles. */
export function diskPresignPut(config: Config): Objects['presignPut'] {
  return async (key, { size, expiresInSeconds }): Promise<PresignedRequest> => {
    const expires = Date.now() + expiresInSeconds * 1000;
    const signature = sign(config, key, size, expires);
    const query = new URLSearchParams({ size: String(size), expires: String(expires), signature });
    return {
      url: `${config.publicUrl}${OBJECTS_PATH}${key.split('/').map(encodeURIComponent).join('/')}?${query}`,
      headers: { 'content-length': String(size) },
      expiresAt: new Date(expires).toISOString(),
    };
  };
}

/**
 * Stores the body of a signed PUT. Throws Forbidden for a wrong or expired signature, and InvalidInput, without storing
 * anything, if the body doesn't have exactly the signed length.
 */
export async function acceptPresignedPut(
  config: Config,
  url: URL,
  body: AsyncIterable<Uint8Array>,
  contentLength: number | undefined,
): Promise<{ key: string; size: number }> {
  const key = decodeKey(url.pathname.slice(OBJECTS_PATH.length));
  const size = Number(url.searchParams.get('size'));
  const expires = Number(url.searchParams.get('expires'));
  const expected = sign(config, key, size, expires);
  if (!constantTimeEqual(expected, url.searchParams.get('signature') ?? ''))
    throw new Forbidden(
      'upload_link_invalid',
      'The signature of the upload URL is invalid. Start a new upload.',
    );
  if (Date.now() > expires)
    throw new Forbidden('upload_link_invalid', 'The upload URL has expired. Start a new upload.');
  if (contentLength !== size)
    throw new InvalidInput('upload_incomplete', `The body must have exactly ${size} bytes, as announced.`);
  const folder = objectsFolder(config);
  await writeObject(folder, key, exactly(body, size));
  if (key.startsWith(`${UPLOADS}/`)) await removeOlder(join(folder, UPLOADS), ABANDONED_MS);
  return { key, size };
}

function decodeKey(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new InvalidInput('invalid_url', 'The URL is invalid.');
  }
}

/** Throws if the body is shorter or longer than announced. */
async function* exactly(body: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of body) {
    seen += chunk.length;
    if (seen > size) break;
    yield chunk;
  }
  if (seen !== size)
    throw new InvalidInput('upload_incomplete', `The body must have exactly ${size} bytes, as announced.`);
}

function sign(config: Config, key: string, size: number, expires: number): string {
  const secret = ensureSecret(secretsFile(config), KEY_NAME, () => randomBytes(32).toString('base64url'));
  return createHmac('sha256', secret).update(`PUT\n${key}\n${size}\n${expires}`).digest('base64url');
}
