import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { askApproval } from '../../cli/approvals.ts';

const APPROVAL = {
  id: 'a',
  toolName: 'bash',
  input: { command: 'rm -rf /\x1b[1A\x1b[2K ls\u202e' },
  summary: 'Run \x1b[8ma command',
  expiresAt: '2026-11-23T00:00:00.000Z',
};

/** Resolves with the question once it appears. */
const QUESTION = 'Type "yes" to approve';

let shown: string;

beforeEach(() => {
  shown = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    shown += text;
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Fails if the question never appears, because an endless loop would block the whole run. */
async function untilShown(isShown: () => boolean): Promise<void> {
  for (let tries = 0; !isShown(); tries++) {
    if (tries === 2000) throw new Error(`no question in: ${shown}`);
    await sleep(5);
  }
}

function keyboard({ isTerminal = true } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY: isTerminal, setRawMode: () => {} });
  const output = Object.assign(new PassThrough(), { isTTY: isTerminal, columns: 80 });
  output.on('data', (bytes: Buffer) => (shown += bytes));
  return { input, output, both: { input, output } as never };
}

/** `ahead` is typed before the question appears, `then` after it. */
async function answer(then: string | null, ahead = '') {
  const { input, both } = keyboard();
  input.write(ahead);
  const asked = askApproval(APPROVAL, new AbortController().signal, both);
  await untilShown(() => shown.includes(QUESTION));
  if (then === null) input.end();
  else input.write(then);
  return asked;
}

/** The texts to type, one at each question. */
async function answerInTurn(always: string | null, ...typed: string[]) {
  const { input, both } = keyboard();
  const asked = askApproval({ ...APPROVAL, always }, new AbortController().signal, both);
  for (const [index, words] of typed.entries()) {
    await untilShown(() => shown.split(/Type "(?:yes|always)" to approve/).length >= index + 2);
    input.write(words);
  }
  return asked;
}

describe('askApproval with a rule', () => {
  const always = 'git pull \x1b[8m';

  it('adds the rule for "always", which is typed after the exact rule is shown', async () => {
    expect(await answerInTurn(always, 'a\n', 'always\n')).toEqual({ approved: true, always });
    expect(shown).toContain('"git pull \\u001b[8m"');
    expect(shown).toContain('whoever starts the run, in any folder and with any input:');
  });

  it('approves the shown pattern until the run ends, for "r"', async () => {
    expect(await answerInTurn(always, 'r\n')).toEqual({ approved: true, scope: 'run', always });
    expect(shown).toContain('"r" to also allow "git pull \\u001b[8m" until the run ends');
  });

  it.each([
    ['Enter alone', '\n'],
    ['yes', 'yes\n'],
    ['what was typed ahead', '\n'],
  ])('repeats the question for %s', async (name, typed) => {
    const first = name === 'what was typed ahead' ? 'a\nalways\nalways\n' : 'a\n';
    expect(await answerInTurn(always, first, typed, 'no\n')).toEqual({ approved: false });
  });

  it('denies for Enter alone, and approves for yes without the rule', async () => {
    expect(await answerInTurn(always, '\n')).toEqual({ approved: false });
    shown = '';
    expect(await answerInTurn(always, 'yes\n')).toEqual({ approved: true });
  });

  it.each(['y', 'Y', '?', 'a', 'r', 'always'])(
    "asks again for %s, which isn't an answer there",
    async (key) => {
      expect(await answerInTurn(null, `${key}\n`, 'use a copy\n')).toEqual({
        approved: false,
        reason: 'use a copy',
      });
      expect(shown).toContain(`"${key}" isn't an answer here.`);
    },
  );
});

describe('askApproval', () => {
  it('approves only for the whole word', async () => {
    expect(await answer('yes\n')).toEqual({ approved: true });
  });

  it.each([
    ['Enter alone', '\n', { approved: false }],
    ['no', 'no\n', { approved: false }],
    ['n', 'n\n', { approved: false }],
    ['the end of input', null, { approved: false }],
    ['anything else, which is the reason', 'use a copy\n', { approved: false, reason: 'use a copy' }],
  ])('denies for %s', async (_name, typed, expected) => {
    expect(await answer(typed)).toEqual(expected);
  });

  it('ignores input that was typed before the question', async () => {
    expect(await answer('\n', 'yes\nyes\n')).toEqual({ approved: false });
  });

  it('shows the complete arguments, with control characters escaped', async () => {
    await answer('\n');
    expect(shown).toContain('"command": "rm -rf /\\u001b[1A\\u001b[2K ls\\u202e"');
    expect(shown).toContain('Run a command');
  });

  it('approves nothing without a terminal', async () => {
    jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const { input, both } = keyboard({ isTerminal: false });
    input.write('yes\n');
    const refused = { approved: false, reason: 'There was no terminal to ask for approval on.' };
    expect(await askApproval(APPROVAL, new AbortController().signal, both)).toEqual(refused);
  });
});
