import { expect, it } from '@jest/globals';
import { judge } from '../../../lib/permissions/judge.ts';
import { liftedDeny } from '../../../lib/permissions/rules.ts';
import type { Rule } from '../../../lib/permissions/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const place = { rootPath: await tempFolder(), cwd: '' };
const FORMS = ['NFC', 'NFD'] as const;
const PAIRS = FORMS.flatMap((rule) => FORMS.map((asked) => [rule, asked] as const));

async function actionFor(rule: Rule, kind: 'path' | 'tree' | 'shell', text: string) {
  const tools = [kind === 'shell' ? 'runCommand' : 'readFile'];
  return (await judge([rule], { tools, argument: { kind, text } }, place)).action;
}

it.each(PAIRS)('rule in %s applies to a request in %s', async (ruleForm, askedForm) => {
  const folder = 'priv\u00e9/\ud55c\uae00/\u1ed9'.normalize(ruleForm);
  const asked = `priv\u00e9/\ud55c\uae00/\u1ed9`.normalize(askedForm);
  const about = (tool: string, pattern: string): Rule => ({ tool, pattern, action: 'deny' });
  expect([
    await actionFor(about('readFile', `${folder}/**`), 'path', `${asked}/a.txt`),
    await actionFor(about('readFile', `${folder}/**`), 'tree', asked),
    await actionFor(about('readFile', `**/${folder}`), 'path', `a/${asked}`),
    await actionFor(about('runCommand', `cat ${folder}/*`), 'shell', `cat ${asked}/a.txt`),
    await actionFor(about('writeFile', `${folder}/**`), 'shell', `echo a > ${asked}/a.txt`),
  ]).toEqual(['deny', 'deny', 'deny', 'deny', 'deny']);
  const added = { tool: 'readFile', pattern: `${asked}/a.txt` };
  expect(liftedDeny([about('readFile', `${folder}/**`)], 'path', added, ['readFile'])).toBeDefined();
});
