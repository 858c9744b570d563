import { describe, expect, it } from '@jest/globals';
import { readsOnly } from '../../../lib/permissions/reads-only.ts';

describe('read-only shell line', () => {
  it.each([
    'ls -la',
    'cat a.md | head -5 2>/dev/null',
    'grep -rc owls . | tail -1',
    'find . -name "*.md" -newer a',
    'cd data && wc -l *.csv; sort -rn a.csv',
    'test -f a && timeout 5 cat a',
    'ls | xargs wc -l',
  ])('is recognized: %s', (line) => {
    expect(readsOnly(line)).toBe(true);
  });

  it.each([
    'rm a',
    'echo x > a',
    'cat a >> b',
    'cat $(rm a)',
    'find . -delete',
    'find . -exec cat {} +',
    'find . -fprint a',
    'sort -o a b',
    'sort -uo a b',
    'sort --output=a b',
    'sort -T . a',
    'base64 -o a b',
    'tree -R -L 1',
    'tree -aR',
    'printf %n PATH',
    'rg --pre ./x owls',
    'uniq a b',
    'sed s/a/b/ a',
    'awk 1 a',
    './ls',
    'PATH=. ls',
    'ls() { rm a; }; ls',
    'alias ls=rm; ls a',
    '$X a',
    'python3 x.py',
    'git status',
    'test -v "a[$(touch b)]"',
    'cat <<E\n$(touch a)\nE',
    'echo hi; a=()`rm a`',
    'a=(b)"$(touch a)"',
    'for f in *.md; do stat "$f"; done',
    'ls | xargs touch',
    '',
  ])('is not recognized: %s', (line) => {
    expect(readsOnly(line)).toBe(false);
  });
});
