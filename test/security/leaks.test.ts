import { expect, it } from '@jest/globals';
import { startFakeIssuer } from '../support/fakes/fake-issuer.ts';
import { type ChatRequest, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { type Played, playOne } from '../support/leaks/requests.ts';
import {
  changeFile,
  changeMembers,
  changeSharing,
  makeWorld,
  maySee,
  secretsIn,
  type World,
} from '../support/leaks/world.ts';
import { isOfResearch, researchAnswer } from '../support/research-model.ts';
import { randomOf } from '../support/samples/mutate.ts';
import { startService } from '../support/service.ts';
import { whenDone } from '../support/temp-folder.ts';

/** `npm run test:leaks` plays 100,000, and proves with broken copies of the service that a leak is found. */
const REQUESTS = Number(process.env.LEAK_REQUESTS ?? 1000);
const SEED = Number(process.env.LEAK_SEED ?? 1);
const AT_ONCE = 8;
const MOST_LEAKS = 5;

const FILE_EVERY = 10;

/** A model that tells everything it was told, so that nothing in a prompt stays hidden. In a report, it quotes. */
const tellAll = (request: ChatRequest) => {
  const { messages } = request;
  if (isOfResearch(String(messages[0]?.content))) return researchAnswer()(request);
  return `Codes: ${secretsIn(JSON.stringify(messages)).join(', ')}.`;
};

const [provider, issuer] = [await startFakeOpenai({ answer: tellAll }), await startFakeIssuer()];
whenDone(() => Promise.all([provider.stop(), issuer.stop()]));
const service = await startService({
  ...{ AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'wrs', OIDC_GROUPS_CLAIM: 'groups' },
  ...{ OIDC_API_TOKENS: 'on', PROVIDER_A_BASE_URL: provider.url, LOG_LEVEL: 'error' },
});

/** Returns the secrets of a response that its reader may not see and didn't send. */
function leaksOf(world: World, { person, request, response, kind }: Played) {
  const sent = new Set(secretsIn(request));
  const found = secretsIn(response).filter((text) => {
    const secret = world.secrets.get(text);
    return !sent.has(text) && (secret === undefined || !maySee(world, person, secret));
  });
  return found.map((text) => ({ text, secret: world.secrets.get(text), by: person.id, kind, request }));
}

it('shows no person a planted secret that they may not see, whatever they request', async () => {
  const random = randomOf(SEED);
  const world = await makeWorld(service, issuer, random);
  const played: Played[] = [];
  const leaks: ReturnType<typeof leaksOf> = [];
  while (played.length < REQUESTS && leaks.length < MOST_LEAKS) {
    await changeMembers(world, random);
    await changeSharing(world, random);
    if (played.length % (FILE_EVERY * AT_ONCE) === 0) await changeFile(world, random);
    const batch = await Promise.all(Array.from({ length: AT_ONCE }, () => playOne(world, random)));
    leaks.push(...batch.flatMap((one) => leaksOf(world, one)));
    played.push(...batch.map((one) => ({ ...one, response: secretsIn(one.response).join(' ') })));
  }
  expect(leaks).toEqual([]);
  // A generator whose requests are all refused would find nothing either.
  const told = played.filter(({ response }) => response !== '');
  expect(told.length).toBeGreaterThan(REQUESTS / 4);
  expect(new Set(told.map(({ kind }) => kind)).size).toBe(new Set(played.map(({ kind }) => kind)).size);
});
