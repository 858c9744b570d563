import { describe, expect, it } from '@jest/globals';
import { endMessage } from '../../../lib/bots/checks/messages.ts';
import { UpstreamFailed } from '../../../lib/errors.ts';
import { listRuns } from '../../../lib/runs/list.ts';
import { stopRun } from '../../../lib/runs/stop.ts';
import { exportCheck } from '../../../lib/verify/export.ts';
import { findCheck } from '../../../lib/verify/find-check.ts';
import { isExportedCheck, toCheckMarkdown } from '../../../lib/verify/show-check.ts';
import { MEMBER } from '../../support/agent.ts';
import { readEntries } from '../../support/docx-comments.ts';
import { type CheckRig, startCheckRig } from '../../support/draft-checks.ts';
import { packWordBody } from '../../support/word-drafts.ts';

const FILES = { 'owls.md': 'Owls hunt at night in 12 forests.\n' };
/** Four batches, of which three are checked at once. */
const CLAIMS = 40;
const REFUSED = new UpstreamFailed('model_credential_refused', 'OpenAI refused the key.', {
  refusedRequest: true,
});

function sentences(count = CLAIMS): string[] {
  return Array.from({ length: count }, (_, at) => `Owls hunt at night in 12 forests of ranger ${at}.`);
}

async function attached(texts: string[]) {
  const body = texts.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  const url = `data:;base64,${Buffer.from(await packWordBody(body)).toString('base64')}`;
  return { attachment: { url, filename: 'owls.docx' } };
}

async function startRefused(texts: string[]) {
  const rig = await startCheckRig(FILES, () => {
    throw REFUSED;
  });
  return { rig, check: await rig.check({ ...(await attached(texts)), judge: true }) };
}

/** Starts a check whose worker has no time left after its first batches, and stops it then. */
async function stopMidway() {
  const rig = await startCheckRig(FILES);
  rig.time.requestMs = 5 * 60_000;
  rig.model.script = ({ sentences: asked }) => {
    rig.time.offsetMs = 61_000;
    return { verdicts: asked.map(({ number }) => ({ number, says: 'partly', why: 'in part' })) };
  };
  const { runId } = await rig.begin({ ...(await attached(sentences())), judge: true });
  await rig.work();
  await stopRun(rig.ports, await rig.find(runId));
  return { rig, check: await rig.look(runId) };
}

async function exported(rig: CheckRig, runId: string, format: 'md' | 'docx' | 'json'): Promise<string> {
  const { bytes } = await exportCheck(rig.ports, await findCheck(rig.ports.records, MEMBER, runId), format);
  if (format !== 'docx') return Buffer.from(bytes).toString();
  const comments = (await readEntries(bytes)).get('word/comments.xml')?.toString() ?? '';
  return comments.replace(/<\/w:p>/g, '\n').replace(/<[^>]*>/g, '');
}

describe('a judge that fails', () => {
  it('is reported with its error and the number of sentences that code decided instead', async () => {
    const { check } = await startRefused([...sentences(2), 'Penguins file their taxes in April.']);
    expect(check).toMatchObject({
      ...{ status: 'done', judge: true, ended: null },
      judgeError: { code: 'model_credential_refused', message: 'OpenAI refused the key.', sentences: 2 },
    });
    expect(check.sentences.map(({ judgedBy }) => judgedBy)).toEqual(['code', 'code', 'code']);
  });

  it('is mentioned in chat apps and in every export', async () => {
    const { rig, check } = await startRefused(sentences(2));
    expect(await exported(rig, check.runId, 'md')).toContain(
      'The model failed to judge 2 sentences. Code checked them.\n\nOpenAI refused the key.',
    );
    expect(await exported(rig, check.runId, 'docx')).toContain(
      'The model failed to judge 2 sentences. Code checked them.\nOpenAI refused the key.',
    );
    expect(endMessage(check, undefined)).toContain(
      'The model failed to judge 2 sentences. Code checked them. OpenAI refused the key.',
    );
    expect(JSON.parse(await exported(rig, check.runId, 'json'))).toMatchObject({
      judgeError: { code: 'model_credential_refused' },
    });
  });

  it('is mentioned in the language of the draft', async () => {
    const { check } = await startRefused(sentences(2));
    expect(toCheckMarkdown({ ...check, text: '猫头鹰在夜间捕猎。' })).toContain('模型未能判断 2 句');
  });

  it('is not reported for a check without a judge, or with a judge that answered', async () => {
    const rig = await startCheckRig(FILES, ({ sentences: asked }) => ({
      verdicts: asked.map(({ number }) => ({ number, says: 'yes', why: '' })),
    }));
    for (const judge of [true, false])
      expect(await rig.check({ text: sentences(2).join(' '), judge })).toMatchObject({ judgeError: null });
  });
});

describe('an export of a Word draft', () => {
  it('keeps its extension, which Word compares with the file contents', async () => {
    const rig = await startCheckRig(FILES);
    const draft = await attached(sentences(1));
    const { runId } = await rig.check({ attachment: { ...draft.attachment, filename: 'owls.docm' } });
    const found = await findCheck(rig.ports.records, MEMBER, runId);
    expect(await exportCheck(rig.ports, found, 'docx')).toMatchObject({
      ...{ name: 'owls-checked.docm', contentType: 'application/vnd.ms-word.document.macroenabled.12' },
    });
  });
});

describe('a verdict in an export', () => {
  it('shows whether a model or code decided', async () => {
    const rig = await startCheckRig(FILES, ({ sentences: asked }) => ({
      verdicts: asked.map(({ number }) => ({ number, says: 'partly', why: 'Only some rangers' })),
    }));
    const texts = [...sentences(1), 'Penguins file their taxes in April.'];
    const { runId } = await rig.check({ ...(await attached(texts)), judge: true });
    for (const format of ['md', 'docx'] as const) {
      const text = await exported(rig, runId, format);
      expect(text).toContain('An AI model judged this. Only some rangers');
      expect(text).toContain('Not in the source. Nothing similar was found. Checked by code.');
    }
  });
});

describe('a check that is stopped before its end', () => {
  it('is listed with the number of checked claims', async () => {
    const { rig, check } = await stopMidway();
    const { checked } = check.counts;
    expect(check).toMatchObject({ status: 'stopped', counts: { claims: CLAIMS } });
    expect([10, 20, 30]).toContain(checked); // batches whose calls were made at once
    const { items } = await listRuns(rig.ports, MEMBER, rig.workspace.id, { kind: 'verify', limit: 1 });
    expect(items).toMatchObject([
      { status: 'stopped', draft: { counts: { claims: CLAIMS, checked, supported: 0 } } },
    ]);
  });

  it('says in every export how many claims were checked', async () => {
    const { rig, check } = await stopMidway();
    const { checked } = check.counts;
    const said = `stopped after ${checked} of 40 claims. The others weren't checked.`;
    const markdown = await exported(rig, check.runId, 'md');
    expect(markdown).toContain(said);
    expect(markdown).toContain(`**Possible errors: ${checked} / ${checked}**`);
    expect(markdown).toContain(`| Not checked | ${40 - checked} |`);
    expect(isExportedCheck(markdown)).toBe(true);
    expect(await exported(rig, check.runId, 'docx')).toContain(said);
    expect(JSON.parse(await exported(rig, check.runId, 'json'))).toMatchObject({
      ...{ status: 'stopped', counts: { claims: 40, checked } },
    });
    expect(toCheckMarkdown({ ...check, status: 'failed', error: 'The file is broken.' })).toContain(
      `failed after ${checked} of 40 claims. The others weren't checked.\n\nThe file is broken.`,
    );
  });
});
