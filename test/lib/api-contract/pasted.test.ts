import { describe, expect, it } from '@jest/globals';
import {
  pastedBaseUrl,
  pastedDay,
  pastedGitUrl,
  pastedKey,
  pastedRepositoryId,
  pastedUrl,
  pastedWord,
} from '../../../lib/api-contract/pasted.ts';

const CASES: Record<string, { read: (text: string) => string; pasted: [text: string, meant: string][] }> = {
  pastedWord: {
    read: pastedWord,
    pasted: [
      [' gpt-4.1-mini\n', 'gpt-4.1-mini'],
      ['"gpt-4.1-mini"', 'gpt-4.1-mini'],
      ["'gpt-4.1-mini'", 'gpt-4.1-mini'],
      ['`gpt-4.1-mini`', 'gpt-4.1-mini'],
      ['“gpt-4.1-mini”', 'gpt-4.1-mini'],
      ['\ufeffgpt-4.1-mini\u200b', 'gpt-4.1-mini'],
      ['\u00a0gpt-4.1-mini\u3000', 'gpt-4.1-mini'],
      ['ｇｐｔ－４', 'gpt-4'],
      ['Europe/Berlin ', 'Europe/Berlin'],
      ['０ ９ ＊ ＊ １－５', '0 9 * * 1-5'],
      ["it's", "it's"],
      ['', ''],
      ['"', '"'],
    ],
  },
  pastedKey: {
    read: pastedKey,
    pasted: [
      ['sk-abc', 'sk-abc'],
      [' "sk-abc" ', 'sk-abc'],
      ['Bearer sk-abc', 'sk-abc'],
      ['Authorization: Bearer sk-abc', 'sk-abc'],
      ['x-api-key: sk-abc', 'sk-abc'],
      ['OPENAI_API_KEY=sk-abc', 'sk-abc'],
      ['export OPENAI_API_KEY="sk-abc"', 'sk-abc'],
      ['HF_TOKEN = hf_abc', 'hf_abc'],
      ['"Bearer sk-abc"', 'sk-abc'],
      ['ab:cd', 'ab:cd'],
      ['A_B==', 'A_B=='],
      ['QUJD_A=', 'QUJD_A='],
    ],
  },
  pastedDay: {
    read: pastedDay,
    pasted: [
      ['2026-01-31', '2026-01-31'],
      ['2026/1/31', '2026-01-31'],
      ['2026.01.31', '2026-01-31'],
      ['2026年1月3日', '2026-01-03'],
      ['２０２６－０１－３１', '2026-01-31'],
      ['01/02/2026', '01/02/2026'],
      ['31.01.2026', '31.01.2026'],
      ['31 Jan 2026', '31 Jan 2026'],
    ],
  },
  pastedUrl: {
    read: pastedUrl,
    pasted: [
      ['https://example.org/a', 'https://example.org/a'],
      ['example.org/a?b=c', 'https://example.org/a?b=c'],
      ['<https://example.org/a>', 'https://example.org/a'],
      ['ｈｔｔｐｓ：／／example.org', 'https://example.org'],
      ['ftp://example.org', 'ftp://example.org'],
      ['two words', 'two words'],
      ['localhost:3000', 'localhost:3000'],
    ],
  },
  pastedBaseUrl: {
    read: pastedBaseUrl,
    pasted: [
      ['https://api.example.org/v1', 'https://api.example.org/v1'],
      ['https://api.example.org/v1/chat/completions', 'https://api.example.org/v1'],
      ['https://api.example.org/v1/chat/completions/', 'https://api.example.org/v1'],
      ['https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1'],
      ['https://api.example.org/v1/embeddings?api-version=1', 'https://api.example.org/v1'],
      ['https://api.example.org/v1/models', 'https://api.example.org/v1'],
      ['api.example.org/v1', 'https://api.example.org/v1'],
      ['localhost:11434', 'http://localhost:11434'],
      ['127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
      ['[::1]:8000', 'http://[::1]:8000'],
      ['192.168.1.5:1234', '192.168.1.5:1234'],
      ['https://models.example.org', 'https://models.example.org'],
    ],
  },
  pastedRepositoryId: {
    read: pastedRepositoryId,
    pasted: [
      ['owner/name', 'owner/name'],
      ['name', 'name'],
      ['my.org/na.me', 'my.org/na.me'],
      ['https://huggingface.co/datasets/owner/name', 'owner/name'],
      ['https://huggingface.co/datasets/owner/name/', 'owner/name'],
      ['https://huggingface.co/datasets/owner/name/tree/main/data?x=1#y', 'owner/name'],
      ['https://huggingface.co/datasets/owner/name/resolve/main/a.csv', 'owner/name'],
      ['https://huggingface.co/datasets/squad', 'squad'],
      ['https://huggingface.co/gpt2/tree/main', 'gpt2'],
      ['https://huggingface.co/owner/name', 'owner/name'],
      ['https://huggingface.co/spaces/owner/name', 'owner/name'],
      ['huggingface.co/datasets/owner/name', 'owner/name'],
      ['hf-mirror.com/owner/name', 'owner/name'],
      ['hf://datasets/owner/name', 'owner/name'],
      ['git clone https://huggingface.co/datasets/owner/name.git', 'owner/name'],
      ['datasets/owner/name', 'owner/name'],
      ['"owner/name"', 'owner/name'],
      ['https://modelscope.cn/datasets/owner/name/summary', 'owner/name'],
      ['https://www.modelscope.cn/models/owner/name/files', 'owner/name'],
      ['owner/name/more', 'owner/name/more'],
      ['../../etc', '../../etc'],
    ],
  },
  pastedGitUrl: {
    read: pastedGitUrl,
    pasted: [
      ['https://github.com/owner/name.git', 'https://github.com/owner/name.git'],
      ['git@github.com:owner/name.git', 'https://github.com/owner/name.git'],
      ['git@gitlab.example.org:group/sub/name.git', 'https://gitlab.example.org/group/sub/name.git'],
      ['ssh://git@git.example.org:2222/owner/name.git', 'https://git.example.org/owner/name.git'],
      ['git+ssh://git@git.example.org/owner/name.git', 'https://git.example.org/owner/name.git'],
      ['git://git.example.org/owner/name.git', 'https://git.example.org/owner/name.git'],
      ['git+https://git.example.org/owner/name', 'https://git.example.org/owner/name'],
      ['git clone git@github.com:owner/name.git', 'https://github.com/owner/name.git'],
      ['github.com/owner/name', 'https://github.com/owner/name'],
      ['https://github.com/owner/name/tree/main/docs', 'https://github.com/owner/name'],
      ['https://github.com/owner/name/blob/main/README.md#use', 'https://github.com/owner/name'],
      ['https://gitlab.com/group/sub/name/-/tree/main', 'https://gitlab.com/group/sub/name'],
      ['https://github.com/owner/name?tab=readme-ov-file#install', 'https://github.com/owner/name'],
      ['https://user:secret@github.com/owner/name', 'https://user:secret@github.com/owner/name'],
      ['http://github.com/owner/name', 'http://github.com/owner/name'],
      ['file:///etc/passwd', 'file:///etc/passwd'],
      ['../other', '../other'],
    ],
  },
};

for (const [name, { read, pasted }] of Object.entries(CASES)) {
  describe(name, () => {
    it.each(pasted)('reads %j as %j', (text, meant) => {
      expect(read(text)).toBe(meant);
      expect(read(meant)).toBe(meant);
    });
  });
}
