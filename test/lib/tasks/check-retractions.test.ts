import { expect, it } from '@jest/globals';
import { sha256 } from '../../../lib/paths/hash.ts';
import { listBrokenCitations } from '../../../lib/quotations/checks/list.ts';
import { savePaper } from '../../../lib/research/gather/saved-papers.ts';
import { askForRetractions, checkRetractions } from '../../../lib/tasks/check-retractions.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { keepAnswer, LOCAL } from '../../support/cited-answer.ts';
import { startPipeline } from '../../support/pipeline.ts';

const { ports, now, drain, makeWorkspace } = await startPipeline();
ports.embedder = undefined;
const QUOTE = 'Owls hunt at night.';
const sent: unknown[] = [];
const taskQueue = { ...ports.indexQueue, send: async (messages: unknown[]) => void sent.push(...messages) };

it('checkRetractions lists the citations of a saved paper while its source reports a retraction', async () => {
  const { id } = await makeWorkspace();
  const workspace = await workspaces.get(ports.records, { id });
  if (workspace === undefined) throw new Error('no workspace');
  const bytes = Buffer.from(`${QUOTE}\n`);
  const source = { kind: 'paper' as const, title: 'Owls', doi: '10.1000/OWLS' };
  const { path } = await savePaper(ports, workspace, new Map(), { source, bytes, extension: '.md' });
  await drain();
  const citation = { path, startLine: 1, endLine: 1, quote: QUOTE, fileHash: await sha256(bytes) };
  await keepAnswer(ports, { id: 'owls', workspaceId: id }, [citation]);

  await askForRetractions({ ...ports, taskQueue });
  expect(sent).toMatchObject([{ body: { kind: 'retractions', workspaceId: id } }]);
  await askForRetractions({ ...ports, taskQueue });
  expect(sent).toHaveLength(1); // once per day

  const check = async (retracted: string[]) => {
    const papers = { retracted: async (dois: string[]) => retracted.filter((doi) => dois.includes(doi)) };
    await checkRetractions({ ...ports, papers }, id);
    now.offsetMs += 5000;
    await drain();
    const { items } = await listBrokenCitations(ports, LOCAL, workspace, { limit: 10 });
    return items.map(({ reason, suggestion }) => [reason, suggestion]);
  };
  expect(await check([])).toEqual([]);
  expect(await check(['10.1000/owls'])).toEqual([['retracted', undefined]]);
  expect(await check([])).toEqual([]);
});
