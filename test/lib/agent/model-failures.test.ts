import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openaiLanguageModel } from '../../../lib/adapters/openai/language-model.ts';
import type { PatienceLimits } from '../../../lib/adapters/outbound/patient-stream.ts';
import { type AgentRig, recordingTool, startAgentRig } from '../../support/agent.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';

let provider: FakeOpenai;
let rig: AgentRig;
const look = recordingTool('look');
let limits: PatienceLimits = {};

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
});
beforeEach(async () => {
  look.inputs.length = 0;
  rig = await startAgentRig([look.tool]);
  const settings = { provider: 'a', model: 'm', baseUrl: provider.url, apiKey: 'sk-very-secret' } as const;
  rig.ports.openModel = () => openaiLanguageModel({ ...settings, ...limits });
});
afterEach(() => {
  provider.failure = undefined;
  provider.rawChunks = undefined;
  provider.comments = 0;
  limits = {};
});

function chunk(delta: unknown, finishReason: string | null = null) {
  return { choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

function call(index: number, name: string | undefined, text: string) {
  return { index, ...(name && { id: `c${index}`, type: 'function' }), function: { name, arguments: text } };
}

/** Returns the error of a failed run whose record and events agree. */
async function failedRun(): Promise<string> {
  const { run, parts } = await rig.ask();
  expect(run).toMatchObject({ status: 'failed', finishedAt: expect.any(String), steps: 1 });
  expect(parts.slice(-2)).toEqual([
    { type: 'error', errorText: run.error },
    { type: 'data-error', data: { code: expect.any(String) } },
  ]);
  expect(JSON.stringify(parts)).not.toContain('secret');
  await eventually(
    async () => provider.openChats,
    (count) => count === 0,
  );
  return run.error ?? '';
}

describe('run fails with a correct record if the model stream', () => {
  it.each([
    ['cut', /the connection was cut/],
    ['silent-end', /stopped in the middle/],
    ['error-frame', /is overloaded/],
    ['unauthorized', /refused the key/],
  ] as const)('ends in %s', async (failure, text) => {
    provider.failure = failure;
    expect(await failedRun()).toMatch(text);
  });

  it('stalls', async () => {
    provider.failure = 'stall';
    limits = { stallMs: 4000 };
    expect(await failedRun()).toMatch(/stopped in the middle/);
  });

  it('sends only keep-alives forever', async () => {
    limits = { pauseMs: 150 };
    provider.comments = Number.POSITIVE_INFINITY;
    expect(await failedRun()).toMatch(/stopped in the middle/);
  });

  it.each<[string, unknown[]]>([
    ['is not valid JSON', ['{"choices": [']],
    ['ends before its finish reason', [chunk({ content: 'Half' })]],
    ['ends in the middle of a call', [chunk({ tool_calls: [call(0, 'look', '{"val')] }), '[DONE]']],
    ['is empty', []],
  ])('%s', async (_, chunks) => {
    provider.rawChunks = chunks;
    await failedRun();
    expect(look.inputs).toEqual([]);
  });
});

describe('run continues if the model stream', () => {
  it('interleaves the chunks of several calls, or omits the finish reason', async () => {
    const pieces = [
      chunk({ tool_calls: [call(0, 'look', '{"value"'), call(1, 'look', '{"va')] }),
      chunk({ tool_calls: [call(1, undefined, 'lue":"b"}')] }),
      chunk({ tool_calls: [call(0, undefined, ':"a"}')] }),
      chunk({}, 'stop'),
      '[DONE]',
    ];
    let asked = 0;
    provider.rawChunks = pieces;
    const model = rig.ports.openModel({ callerId: 'c', workspaceId: null, kind: 'agent' });
    const { stream } = model;
    rig.ports.openModel = () => ({
      ...model,
      stream(request) {
        if (++asked > 1) provider.rawChunks = [chunk({ content: 'Done.' }, 'stop'), '[DONE]'];
        return stream(request);
      },
    });
    const { run } = await rig.ask();
    expect(run).toMatchObject({ status: 'done', steps: 2 });
    expect(look.inputs).toEqual(
      expect.arrayContaining([
        { value: 'a', rounds: 1 },
        { value: 'b', rounds: 1 },
      ]),
    );
  });
});
