import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBrowser } from '../support/browser.ts';
import { kubeconfigFile } from '../support/cluster.ts';
import { startFakeHub } from '../support/fakes/fake-hub.ts';
import { startFakeKubernetes } from '../support/fakes/fake-kubernetes.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { paperEnv, startFakePapers } from '../support/fakes/fake-papers.ts';
import { startFakeZotero } from '../support/fakes/fake-zotero.ts';
import { startGitServer } from '../support/fakes/git-server.ts';
import { startPaperHost } from '../support/fakes/paper-host.ts';
import { startService } from '../support/service.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';
import { step } from './step.ts';
import { lookAtAgent } from './web/agent.ts';
import { readInChinese } from './web/chinese.ts';
import { connectModel } from './web/connect-model.ts';
import { type Lane, PAPER_HOST, TOOL_HOST } from './web/lane.ts';
import { doMainJob, useKeyboardAlone } from './web/main-job.ts';
import { type ConsolePage, PAGES } from './web/pages/all-pages.ts';
import { throwPayloads } from './web/payloads.ts';
import { takePictures } from './web/pictures.ts';
import { goThroughTrouble } from './web/robust.ts';
import { lookAsRoles } from './web/roles.ts';
import { frameScenes } from './web/scenes.ts';
import { plantShowcase } from './web/showcase.ts';
import { signIn, signInWithIssuer } from './web/sign-in.ts';
import { tellTroubles } from './web/troubles.ts';
import { lookAtScenes, lookAtViews } from './web/views.ts';

/**
 * The console as users see it: real Chromium, the running service, a scripted model. No view may violate the
 * content security policy, throw, or send a request to another origin; axe finds nothing on any, in both
 * themes. `-- --pictures` creates web/pictures/ again, `-- --fonts FOLDER` with the fonts of another folder
 * in addition to the host's; `-- --page NAME` runs the main job and that page alone, with `--pictures` to retake its.
 */
const { values } = parseArgs({
  options: { pictures: { type: 'boolean' }, fonts: { type: 'string' }, page: { type: 'string' } },
});
const pages = PAGES.filter(({ name }) => values.page === undefined || name.includes(values.page));
const provider = await startFakeOpenai({ paceMs: 2 });
const [cluster, git, hub, papers, far, zotero] = await Promise.all([
  startFakeKubernetes(),
  startGitServer(),
  startFakeHub(),
  startFakePapers(),
  startPaperHost([PAPER_HOST, TOOL_HOST]),
  startFakeZotero(),
]);
const authorities = join(await tempFolder(), 'authorities.pem');
await writeFile(authorities, await Promise.all([git.caFile, far.caFile].map((file) => readFile(file))));
const service = await startService({
  CONSOLE: 'on',
  PROVIDER_A_BASE_URL: provider.url,
  KUBECONFIG_PATH: await kubeconfigFile(cluster.kubeconfig()),
  CODE_HOST: git.host,
  CODE_HOST_ALLOW_PRIVATE: 'true',
  ...far.environment,
  NODE_EXTRA_CA_CERTS: authorities,
  ...paperEnv(papers),
  HUB_A_BASE_URL: hub.url,
  HUB_B_BASE_URL: hub.url,
  ZOTERO_BASE_URL: zotero.url,
});
const browser = await startBrowser(values.fonts);
const lane: Lane = { browser, service, provider, cluster, git, hub, papers, far, zotero };
try {
  const apart = workApart();
  apart.catch(() => {}); // until it is awaited below
  const workspaceId = await step('the main job', () => doMainJob(lane));
  if (values.page === undefined)
    await step('an agent run with an approval', () => lookAtAgent(lane, workspaceId));
  for (const page of pages.filter(({ isApart }) => !isApart))
    await step(page.name, () => page.visit(lane, workspaceId));
  if (values.pictures) await step('pictures', () => takePictures(lane, workspaceId, values.page));
  else if (values.page === undefined) {
    await step('the main job by keyboard alone', () => useKeyboardAlone(lane, workspaceId));
    await step('every view, both themes, by axe', () => lookAtViews(lane, workspaceId));
    await step('failures', () => goThroughTrouble(lane, workspaceId));
    const scenes = (await plantShowcase(lane)).filter(({ act }) => act !== undefined);
    const still = frameScenes(workspaceId);
    await step('scenes on the way, by axe', () => lookAtScenes(lane, scenes, still));
    await step('every view and error in Chinese', () =>
      readInChinese(lane, workspaceId, [...scenes, ...still]),
    );
    // Last, because its names fill the first page of each list.
    await step('hostile text', () => throwPayloads(lane, workspaceId));
  }
  await apart;
} finally {
  await browser.close();
  await Promise.all([service.stop(), provider.stop(), cluster.stop(), hub.stop()]);
  await cleanUp();
}

/** The steps with their own services run one after the other, in parallel with the other steps. */
async function workApart(): Promise<void> {
  if (values.pictures) return;
  await visitApart(pages.filter(({ isApart }) => isApart));
  if (values.page !== undefined) return;
  await step('messages shown and announced in trouble', () => tellTroubles(lane));
  await step('connecting a model', () => connectModel(lane));
  await step('views per role', () => lookAsRoles(lane));
  await step('sign-in with a token', () => signIn(lane));
  await step('sign-in with an issuer', () => signInWithIssuer(lane));
}

async function visitApart(apart: ConsolePage[]): Promise<void> {
  if (apart.length === 0) return;
  const model = await startFakeOpenai({ paceMs: 2 });
  const own = await startService({ CONSOLE: 'on', PROVIDER_A_BASE_URL: model.url });
  const { answer } = model;
  for (const { name, visit } of apart) {
    model.answer = answer; // a page can script its own answers
    await step(name, () => visit({ ...lane, service: own, provider: model }, ''));
  }
  await Promise.all([own.stop(), model.stop()]);
}
