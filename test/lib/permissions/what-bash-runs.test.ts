import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { judge } from '../../../lib/permissions/judge.ts';
import { DEFAULTS } from '../../../lib/permissions/rules.ts';
import type { Rule } from '../../../lib/permissions/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const RULES: Rule[] = [...DEFAULTS, { tool: 'bash', pattern: 'git push*', action: 'deny' }];
const LINES = Number(process.env.SHELL_LINES ?? 250);
const MARK = 'DENIED';

/** The denied command, and others that are like it, spelled in many ways. */
const word = (text: string) =>
  fc.constantFrom(
    text,
    `'${text}'`,
    `"${text}"`,
    `\\${text}`,
    `${text[0]}''${text.slice(1)}`,
    `$'${text}'`,
    `${text.slice(0, 2)}"${text.slice(2)}"`,
    `${text[0]}\\${text.slice(1)}`,
    `${text.slice(0, 1)}\\\n${text.slice(1)}`,
    `$(echo ${text})`,
    `\`echo ${text}\``,
    `$${text}`,
    `"\${${text}}"`,
    `\${none:-${text}}`,
    `${text}$none`,
    `{${text},${text}}`,
    `${text.slice(0, -1)}[${text.slice(-1)}]`,
    `${text.slice(0, -1)}?`,
    `$'\\x${text.charCodeAt(0).toString(16)}${text.slice(1)}'`,
    `$*${text}`,
  );
const space = fc.constantFrom(' ', '  ', '\t', ' \\\n', ' $none ', ' "$none" ', ' 2>&1 ', ' >/dev/null ');
const denied = fc
  .tuple(fc.constantFrom('', 'A=1 ', '! ', 'time '), word('git'), space, word('push'))
  .map((parts) => parts.join(''));
const harmless = fc.constantFrom(
  'true',
  'echo a',
  'ls',
  'git pull',
  'git pul',
  'x=1',
  ':',
  'echo git push',
  'printf x',
  '[ -n a ]',
);
const simple = fc.oneof({ weight: 2, arbitrary: denied }, { weight: 3, arbitrary: harmless });

const WRAPPED: ((line: string) => string)[] = [
  (line) => `(${line})`,
  (line) => `{ ${line}\n}`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `if ${line}\nthen true; fi`,
  (line) => `for v in 1; do ${line}\ndone`,
  (line) => `while ${line}\ndo break; done`,
  (line) => `case x in x) ${line}\n;; esac`,
  // Each by a name of its own: one that calls itself would never end.
  (line) => `f${line.length}() { ${line}\n}; f${line.length}`,
  (line) => `echo $(${line}\n)`,
  (line) => `echo "$(${line}\n)"`,
  (line) => `cat <(${line}\n) ; wait`,
  (line) => `v=$(${line}\n)`,
  (line) => `cat <<END\n$(${line}\n)\nEND`,
  (line) => `cat <<'END'\n${line}\nEND`,
  (line) => `eval ${quote(line)}`,
  (line) => `sh -c ${quote(line)}`,
  (line) => `bash -c ${quote(line)}`,
  (line) => `trap ${quote(line)} EXIT`,
  (line) => `c=${quote(line)}; eval "$c"`,
  (line) => `echo ${quote(line)} | sh`,
  (line) => `echo ${quote(line)} | xargs env`,
  (line) => `env ${line}`,
  (line) => `env A=1 ${line}`,
  (line) => `command ${line}`,
  (line) => `nice ${line}`,
  (line) => `timeout 5 ${line}`,
  (line) => `exec ${line}`,
  (line) => `echo push | xargs ${line}`,
  (line) => `find . -maxdepth 0 -exec ${line} ';'`,
  (line) => `find . -maxdepth 0 -exec sh -c ${quote(line)} ';'`,
  (line) => `shopt -s expand_aliases; alias ls=${quote(line)}\nls`,
  (line) => `set -- ${line}; "$@"`,
  (line) => `g${line.length}() { "$@"; }; g${line.length} ${line}`,
  (line) => `a='x[$(${line.replaceAll("'", '"')})]'; echo $((a))`,
  (line) => `# ${line}`,
  (line) => `echo ${quote(line)} > s; . ./s`,
  (line) => `awk 'BEGIN { system("${line.replaceAll(/['"\\\n]/g, '')}") }'`,
];

function quote(line: string): string {
  return `'${line.replaceAll("'", "'\\''")}'`;
}

const wrap = fc.constantFrom(...WRAPPED);
const joined = fc.constantFrom('; ', ' && ', ' || ', ' | ', ' & ', '\n', ' |& ');
const { line } = fc.letrec<{ line: string }>((tie) => ({
  line: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    fc.tuple(wrap, tie('line')).map(([into, inner]) => into(inner)),
    fc.tuple(tie('line'), joined, tie('line')).map((parts) => parts.join('')),
  ),
}));

/** Which of the lines ran the denied command, in a bash whose git only says how it was called. */
async function whatRan(lines: string[]): Promise<boolean[]> {
  const folder = await tempFolder();
  const stubs = join(folder, 'bin');
  mkdirSync(stubs);
  const log = join(folder, 'log');
  writeFileSync(join(stubs, 'git'), `#!/bin/sh\ncase "$*" in push*) echo "$LINE ${MARK}" >> ${log};; esac\n`);
  chmodSync(join(stubs, 'git'), 0o755);
  const work = join(folder, 'work');
  mkdirSync(work);
  for (const name of ['git', 'push']) writeFileSync(join(work, name), '');
  writeFileSync(log, '');
  // Each in a shell of its own, forked and not started; what a line leaves running is waited for.
  const script = lines.map(
    (each, index) =>
      `( export LINE=${index} FUNCNEST=50; git=git push=push; eval ${quote(each)}; wait ) </dev/null >/dev/null 2>&1\n`,
  );
  writeFileSync(join(folder, 'lines.sh'), script.join(''));
  execFileSync('bash', [join(folder, 'lines.sh')], {
    cwd: work,
    env: { PATH: `${stubs}:/usr/bin:/bin` },
    stdio: 'ignore',
    timeout: 120_000,
  });
  const ran = new Set(
    readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((row) => Number(row.split(' ')[0] || -1)),
  );
  return lines.map((_, index) => ran.has(index));
}

describe('what bash runs', () => {
  it('is never allowed when a denied command is among it, in lines made of anything', async () => {
    const lines = fc
      .sample(line, { numRuns: LINES, seed: Number(process.env.SHELL_SEED ?? 7) })
      .filter((each) => each.length < 5000);
    const ran = await whatRan(lines);
    const judged = await Promise.all(
      lines.map((text) =>
        judge(RULES, { tools: ['bash'], argument: { kind: 'shell', text } }, { rootPath: '/x', cwd: '' }),
      ),
    );
    const wrong = lines.filter((_, index) => ran[index] && judged[index]?.action === 'allow');
    expect(wrong).toEqual([]);
    const counts = Object.groupBy(judged, ({ action }) => action);
    // The test means something only where all three occur, and where bash did run what is denied.
    expect(ran.filter(Boolean).length).toBeGreaterThan(lines.length / 10);
    expect(counts.allow?.length).toBeGreaterThan(lines.length / 20);
    expect(counts.deny?.length).toBeGreaterThan(lines.length / 10);
  });
});
