import { setTimeout } from 'node:timers/promises';

/**
 * Number of requests after which the API counts as failed. API Gateway serves a new stage only after seconds,
 * and functions start cold.
 */
const TRIES = 6;
const TIMEOUT_MS = 30_000;
const MAX_SHOWN = 300;

interface HealthOptions {
  tell: (line: string) => void;
  /** Seconds between two requests. */
  every?: number | undefined;
  request?: typeof fetch | undefined;
}

/** Reports the health of the deployed API. Throws an Error with its last answer if it doesn't become healthy. */
export async function checkHealth(
  api: string,
  { tell, every = 5, request = fetch }: HealthOptions,
): Promise<void> {
  const url = `${api}/api/health`;
  for (let tries = 1; ; tries += 1) {
    const { isHealthy, said } = await ask(url, request);
    if (isHealthy) return tell(`${url}: ${said}`);
    if (tries === TRIES)
      throw new Error(
        `The stage is deployed, but ${url} isn't healthy: ${said}. Nothing was undone. See "When the health check fails" in docs/deploy/aws-first-deployment.md.`,
      );
    await setTimeout(every * 1000);
  }
}

async function ask(url: string, request: typeof fetch): Promise<{ isHealthy: boolean; said: string }> {
  try {
    const response = await request(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    const text = await response.text();
    const isHealthy = response.status === 200 && statusOf(text) === 'ok';
    return { isHealthy, said: shown(isHealthy ? text : `${response.status} ${text}`) };
  } catch (error) {
    const { message, cause } = error as Error;
    return { isHealthy: false, said: shown(cause instanceof Error ? cause.message : message) };
  }
}

function statusOf(text: string): unknown {
  try {
    return JSON.parse(text)?.status;
  } catch {
    return undefined;
  }
}

function shown(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_SHOWN);
}
