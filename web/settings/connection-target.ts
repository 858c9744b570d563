import type { Connection } from './model-connections.ts';
import { isBaseUrl } from './provider-name.ts';

interface Typed {
  key: string;
  url: string;
}

/** The target of a connection form. A stored key belongs to its server, and is never sent to another one. */
export function readTarget(stored: Pick<Connection, 'provider' | 'hasKey' | 'baseUrl'>, typed: Typed) {
  const { key, url } = typed;
  const isMoved = url !== (stored.baseUrl ?? '');
  const keepsKey = stored.hasKey && !isMoved;
  const isKept = keepsKey && key === '';
  const isWrongKey = !/^[\x21-\x7e]*$/.test(key);
  return {
    ...{ isMoved, keepsKey },
    /** The fields of a request. Without `apiKey`, the stored key stays. */
    fields: { ...(!isKept && { apiKey: key || null }), baseUrl: url || null },
    isWrongKey,
    canTest: !isWrongKey && (url === '' ? isKept || key !== '' : isBaseUrl(url)),
    /** True for a server other than the provider's own, which has no default model. */
    isOwn: stored.provider === 'a' && url !== '' && URL.parse(url)?.hostname !== 'api.openai.com',
  };
}
