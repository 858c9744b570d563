import { expect, it } from '@jest/globals';
import { messageOfCode, withTranslation } from '../../cli/message-of-code.ts';

it.each([
  [{ LANG: 'zh_CN.UTF-8' }, 'workspace_not_found', /工作区/],
  [{ LC_ALL: 'zh_CN.UTF-8', LANG: 'en_US.UTF-8' }, 'workspace_not_found', /工作区/],
  [{ LC_ALL: 'C', LANG: 'zh_CN.UTF-8' }, 'workspace_not_found', undefined],
  [{ LANG: 'en_US.UTF-8' }, 'workspace_not_found', undefined],
  [{ LANG: 'zh_CN.UTF-8' }, 'a_code_of_a_later_release', undefined],
  [{ LANG: 'zh_CN.UTF-8' }, null, undefined],
])('messageOfCode returns in %j for the code %s: %s', (environment, code, message) => {
  const found = messageOfCode(code, environment);
  if (message === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(message);
});

it('messageOfCode explains how to choose another model', () => {
  const said = 'OpenAI does not know the model or the URL. Choose another model.';
  expect(withTranslation('model_not_found', said)).toMatch(/ LLM_MODEL/);
  expect(withTranslation('model_failed', said)).not.toMatch(/LLM_MODEL/);
});
