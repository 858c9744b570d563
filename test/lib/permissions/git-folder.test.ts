import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { isGitPath } from '../../../lib/permissions/git-folder.ts';
import { judge } from '../../../lib/permissions/judge.ts';
import { DEFAULTS } from '../../../lib/permissions/rules.ts';
import type { Grant, Rule } from '../../../lib/permissions/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let rootPath: string;

beforeAll(async () => {
  rootPath = await tempFolder();
  await mkdir(join(rootPath, 'sub/.git/hooks'), { recursive: true });
  await symlink('sub/.git/hooks', join(rootPath, 'scripts'));
});

async function write(text: string, rules: Rule[] = [], grants: Grant[] = []) {
  const call = { tools: ['editFile', 'writeFile'], argument: { kind: 'path' as const, text } };
  return (await judge([...DEFAULTS, ...rules], call, { rootPath, cwd: '' }, grants)).action;
}

async function line(text: string, rules: Rule[] = []) {
  const call = { tools: ['bash'], argument: { kind: 'shell' as const, text } };
  return (await judge([...DEFAULTS, ...rules], call, { rootPath, cwd: '' })).action;
}

describe('file written without a rule', () => {
  it.each([
    ['.git/hooks/pre-commit', 'ask'],
    ['.git/config', 'ask'],
    ['.git', 'ask'],
    ['./sub/../.git/config', 'ask'],
    ['sub/deep/.git/config', 'ask'],
    ['.GIT/config', 'ask'],
    ['.Git/config', 'ask'],
    ['GIT~1/config', 'ask'],
    ['git~2/config', 'ask'],
    ['.git./config', 'ask'],
    ['.git /config', 'ask'],
    ['.g\u200cit/config', 'ask'],
    ['.git::$INDEX_ALLOCATION/config', 'ask'],
    ['scripts/pre-commit', 'ask'],
    ['.gitignore', 'allow'],
    ['.github/workflows/test.yml', 'allow'],
    ['src/git/config', 'allow'],
    ['my.git/config', 'allow'],
  ])('%j: %s', async (path, action) => {
    expect(await write(path)).toBe(action);
  });

  it.each<[string, Rule[], string]>([
    ['everything', [{ tool: 'writeFile', pattern: '*', action: 'allow' }], 'ask'],
    ['all paths', [{ tool: 'writeFile', pattern: '**', action: 'allow' }], 'ask'],
    ['Git folders by name', [{ tool: 'writeFile', pattern: '.git/info/**', action: 'allow' }], 'allow'],
    ['nothing there', [{ tool: 'writeFile', pattern: '**/.git/**', action: 'deny' }], 'deny'],
  ])('needs approval in .git, with a rule for %s', async (_, rules, action) => {
    expect(await write('.git/info/exclude', rules)).toBe(action);
  });

  it("isn't allowed in .git by a task's tools, unless they name .git", async () => {
    expect(await write('.git/config', [], [{ tool: 'writeFile', pattern: '**' }])).toBe('ask');
    expect(await write('.git/config', [], [{ tool: 'writeFile', pattern: '.git/**' }])).toBe('allow');
  });
});

describe('path with dots', () => {
  it('is checked quickly, however many dots it has', () => {
    expect(isGitPath(`${'.'.repeat(400_000)}x`)).toBe(false);
    expect(isGitPath(`.git${'. '.repeat(200_000)}`)).toBe(true);
  });
});

describe('shell line without a rule', () => {
  it.each([
    ['echo x > .git/hooks/pre-commit', 'ask'],
    ['cp x sub/.GIT/hooks/pre-commit', 'ask'],
    ['cd .git && echo x > config', 'ask'],
    ['sed -i s/a/b/ .git/config', 'ask'],
    ['ls; (rm -rf .git)', 'ask'],
    ['sh -c "tee .git/config"', 'ask'],
    [`echo ${'x'.repeat(6000)} > .git/config`, 'ask'],
    ['find .git/hooks -name x -delete', 'ask'],
    ["find -L a .git -exec sh -c 'echo x > config' ';'", 'ask'],
    ['find . -name x -fprintf .git/hooks/pre-commit x', 'ask'],
    ['tree -o .git/config', 'ask'],
    ['git log --format=x --output=.git/hooks/pre-commit', 'ask'],
    ['git archive -o sub/.git/config HEAD', 'ask'],
    ['echo x > .gi*/config', 'ask'],
    ['cp x .gi?/hooks/pre-commit', 'ask'],
    ['cp x sub/.[g]it/hooks/pre-commit', 'ask'],
    ['tee s[r]c/../.git/description', 'ask'],
    ['tee s[r"x]"]c/.git/description', 'ask'],
    ['echo x > [s]rc/./..\\/.git/config', 'ask'],
    ["cp x s[r$y]c/'a/.git/config'", 'ask'],
    ['tee s[r]c/.[g]i[t]/description', 'ask'],
    ['tee s[r]c/.github/a[b]c', 'allow'],
    ['tee /dev/stdin < .git/config', 'ask'],
    ['echo x > /dev/fd/3 3< .git/config', 'ask'],
    ['tail -f .git/config & tee /proc/*/fd/3', 'ask'],
    ['cat < .git/config > x; ls | tee y', 'allow'],
    ['cp x .G*/hooks/pre-commit', 'ask'],
    ['tee .g*t/config', 'ask'],
    ['rm -rf .*', 'ask'],
    ['cp x .g{i,j}t/hooks/pre-commit', 'ask'],
    ['cp x {.git,a}/hooks/pre-commit', 'ask'],
    ['cp x {a,.}git/hooks/pre-commit', 'ask'],
    ['env cp x {a,.gi}t/hooks/pre-commit', 'ask'],
    ["cp x {a,'.'git}/hooks/pre-commit", 'ask'],
    ["cp x {a,$'.git'}/hooks/pre-commit", 'ask'],
    ['cp x {a,".g"it}/hooks/pre-commit', 'ask'],
    ['cp x {a,}.git/hooks/pre-commit', 'ask'],
    ['cp x {"",a}.g{i,}t/hooks/pre-commit', 'ask'],
    ['cp x.{md,} {a,}src/', 'allow'],
    ['cp x .git$y/config', 'ask'],
    ['cp x ".gi"*/config', 'ask'],
    ['cp "x .gi*"', 'allow'],
    ['rm *', 'allow'],
    ['cp *.git* src/*', 'allow'],
    ['rm .github/*.yml .gitignore*', 'allow'],
    ['rm .e* .git?gnore', 'allow'],
    ['cp {./a,../b} {src,test}/', 'allow'],
    ['cat .gi*/HEAD; ls .*', 'allow'],
    ['cat {.git,a}/HEAD', 'ask'],
    ['cd "$(git rev-parse --git-dir)" && echo x > hooks/pre-commit', 'ask'],
    ['cp x "$(git rev-parse --git-path hooks)/pre-commit"', 'ask'],
    ['cp x `git rev-parse --git-common-dir`/hooks/pre-commit', 'ask'],
    ['d=$(git rev-parse --absolute-git-dir); cp x "$d/hooks/pre-commit"', 'ask'],
    ['git rev-parse --git-path hooks | xargs -I{} cp x {}/pre-commit', 'ask'],
    ['cp x "$GIT_DIR/hooks/pre-commit"', 'ask'],
    ['cd $(git rev-parse --gi$(:)t-dir); sort -o."`:`"git/hooks/x a', 'ask'],
    ['cp x $y.git/hooks/pre-commit; echo x > $y.git/config', 'ask'],
    ["find . -name HEAD -path '*git*' -execdir cp HEAD hooks/b1 ';'", 'ask'],
    ['a=()`printf x > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`', 'ask'],
    ['a=($(cp x .g""it/hooks/pre-commit))_', 'ask'],
    ["find . -name '*.ts' -not -path './.git/*' -exec wc -l {} +", 'allow'],
    ['for f in $(git ls-files); do wc -l "$f"; done', 'allow'],
    ['chmod +x x && git add x && git checkout-index --prefix=.git/hooks/ x', 'ask'],
    ['git clone -q . .git/hooks/x', 'ask'],
    ['git -C .git/hooks init -q --bare .', 'ask'],
    ['git --git-dir=.git/hooks init', 'ask'],
    ['git --git-dir=.git init --template=x', 'ask'],
    ['git --work-tree=.git/hooks checkout HEAD x', 'ask'],
    ['GIT_WORK_TREE=.git/hooks git checkout HEAD x', 'ask'],
    ['git config core.hooksPath h', 'ask'],
    ['git config set core.fsmonitor ./x', 'ask'],
    ['git config --unset core.x', 'ask'],
    ['git -C sub config alias.x "!x"', 'ask'],
    ['git config --local core.hooksPath h', 'ask'],
    ['git config core.fsmonitor ./x --local', 'ask'],
    ['git config core.hooksPath get', 'ask'],
    ['git config core.hooksPath list', 'ask'],
    ['git config --comment user.name core.hooksPath h', 'ask'],
    ['git config --local --edit', 'ask'],
    ["sh -c 'git config --local core.hooksPath h'", 'ask'],
    ['git init --template=t', 'ask'],
    ['git init -q --temp t .', 'ask'],
    ['git clone --template=t . d', 'ask'],
    ['git clone -qc core.fsmonitor=./x . d', 'ask'],
    ['git clone --config core.fsmonitor=./x . d', 'ask'],
    ['GIT_TEMPLATE_DIR=t git init', 'ask'],
    ['env GIT_TEMPLATE_DIR=t git init', 'ask'],
    ['git -c init.templateDir=t init', 'ask'],
    [`awk 'BEGIN { print "x" > ".git/hooks/pre-commit" }'`, 'ask'],
    [`python3 -c "open('.git/hooks/pre-commit', 'w')"`, 'ask'],
    ["sed '1W .git/hooks/pre-commit' a", 'ask'],
    ["awk '/x/' .gitignore", 'allow'],
    ['python3 x.py --depth 1 https://example.org/x.git', 'allow'],
    ['git init -q -b main d && git clone -q -b docs . e', 'allow'],
    ['git config --local user.name A', 'allow'],
    ['git config --local --get core.hooksPath && git config --show-origin --list', 'allow'],
    ['git config user.name A', 'allow'],
    ['git config --global user.email a@example.org', 'allow'],
    ['git config --get core.hooksPath && git config --list', 'allow'],
    ['git init -q --separate-git-dir=ev .', 'ask'],
    ['git clone --separate-git-dir ev x y', 'ask'],
    ['git worktree add .git/hooks/x', 'ask'],
    ['git bundle create .git/hooks/x HEAD', 'ask'],
    ['git format-patch -o.git/hooks HEAD~1', 'ask'],
    ['git log --outp=.git/hooks/x', 'ask'],
    ['git diff --output .git/hooks/x', 'ask'],
    ['git init --separate-git-dir .git/hooks/x y', 'ask'],
    ['sort -o.git/hooks/x a', 'ask'],
    ['sort -no./.git/hooks/x a', 'ask'],
    ['sort --out=.git/hooks/x a', 'ask'],
    ['tar -xC.git/hooks -f a.tar', 'ask'],
    ["tar xf a.tar --transform='s,^,.git/hooks/,'", 'ask'],
    ['cp -t.git/hooks x', 'ask'],
    ['cp --targ=.git/hooks x', 'ask'],
    ['dd if=x of=.git/hooks/x', 'ask'],
    ['curl -so.git/hooks/x https://example.org', 'ask'],
    ['unzip -d.GIT/hooks a.zip', 'ask'],
    ['unzip -dgit~1/hooks a.zip', 'ask'],
    ['patch -o.git/hooks/x a b', 'ask'],
    ['ln -s x .git/hooks/x', 'ask'],
    ['rsync a localhost:.git/hooks/x', 'ask'],
    ['sed -n w.git/hooks/x a', 'ask'],
    ['tree -ao .git/hooks/x', 'ask'],
    ["find . -path '*/.git/hooks/*' -delete", 'ask'],
    ["bash -c -- 'echo x > .git/hooks/x'", 'ask'],
    ["sh -ec -x 'echo x > .git/hooks/x'", 'ask'],
    ["echo hi >&'$(echo x >.git/hooks/x)'", 'ask'],
    ["x='a[$(echo x >.git/hooks/x)]'; a=([x]=1)", 'ask'],
    ['git --git-dir=.git commit -m x', 'allow'],
    ['git --git-dir sub/.git --work-tree sub add x', 'allow'],
    ['git -C .git log; git rev-parse --git-dir .git; git diff --no-index .git/HEAD x', 'allow'],
    ['git commit -m "Ignore .git in listings"', 'allow'],
    ['git checkout -bowls.gitter; sort -o.gitignore .gitignore', 'allow'],
    ["find . -name .git -prune -o -name '*.tmp' -delete", 'allow'],
    ['find .git -name HEAD; tree .git; git diff .git', 'allow'],
    ['cat .git/HEAD', 'allow'],
    ['git commit -m x && git log', 'allow'],
    ['git clone https://example.com/owls.git', 'allow'],
    ['tar --exclude=.git -cf /tmp/all.tar .', 'allow'],
    ['echo x > .gitignore', 'allow'],
    ['$x push; make', 'allow'],
  ])('%j: %s', async (text, action) => {
    expect(await line(text)).toBe(action);
  });

  it('needs approval for a change in .git, whatever is allowed', async () => {
    expect(await line('rm -r .git', [{ tool: 'bash', pattern: '*', action: 'allow' }])).toBe('ask');
    expect(await line('rm -r .git', [{ tool: 'bash', pattern: '*', action: 'deny' }])).toBe('deny');
  });
});
