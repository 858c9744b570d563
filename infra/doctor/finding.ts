/** The result of a check. `wrong` must be fixed; the service works without fixing a `note`. */
export interface Finding {
  state: 'ok' | 'note' | 'wrong';
  text: string;
}

export const ok = (text: string): Finding => ({ state: 'ok', text });
export const note = (text: string): Finding => ({ state: 'note', text });
export const wrong = (text: string): Finding => ({ state: 'wrong', text });

/** Maximum wait for one service, in milliseconds. */
export const ASK_MS = 15_000;

/** Returns the response to one request without a body. Throws an Error that names the host, never the path or the headers. */
export async function ask(url: string, options: RequestInit = {}): Promise<Response> {
  const { host } = new URL(url);
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      ...options,
      signal: AbortSignal.timeout(ASK_MS),
    });
    await response.body?.cancel();
    return response;
  } catch (error) {
    throw new Error(`Can't reach ${host} (${whyOf(error as Error)}).`);
  }
}

/** Returns a failed request's system error code. The error's message may contain the URL, with a password. */
export function whyOf({ name, cause }: Error): string {
  if (name === 'TimeoutError') return `no answer in ${ASK_MS / 1000} s`;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? 'the request failed';
}
