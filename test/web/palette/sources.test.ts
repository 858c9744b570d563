import { afterEach, expect, it, jest } from '@jest/globals';

// The global from which the API client gets the browser's credential. URLs also need an origin there.
Object.assign(globalThis, {
  sessionStorage: { getItem: () => null },
  BroadcastChannel: class {
    addEventListener() {}
  },
});
const BrowsersRequest = class extends Request {
  constructor(address: string, init?: RequestInit) {
    super(new URL(address, 'http://service.example'), init);
  }
};
Object.assign(globalThis, { Request: BrowsersRequest });

interface Source {
  name: string;
  list(workspaceId: string, typed: string): Promise<object[]>;
}

// The name is computed, because its types are those of a browser, which this program lacks.
const FILE = '../../../web/palette/sources.ts';
const { WORKSPACE_SOURCES, WORKSPACES } = (await import(FILE)) as {
  WORKSPACE_SOURCES: Source[];
  WORKSPACES: Source;
};

const asked: string[] = [];

/** The service returns one resource for everything, with a name in each field that can contain a name. */
function answerWith(more: object = {}): void {
  asked.length = 0;
  const body = [{ id: 'a/b', name: 'Owls', title: 'Owls', request: 'Owls', ...more }];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const { pathname, search } = new URL((input as Request).url);
    asked.push(pathname + search);
    return Response.json(body);
  });
}

afterEach(() => {
  jest.restoreAllMocks();
});

it.each([
  ['conversations', 'chat', '/api/conversations?workspaceId=w&limit=50&q=owl'],
  ['runs', 'agent', '/api/agent/runs?workspaceId=w&kind=agent&limit=50'],
  ['reports', 'research', '/api/agent/runs?workspaceId=w&kind=research&limit=100'],
  ['notes', 'notes', '/api/notes?workspaceId=w&limit=50&q=owl'],
  ['datasets', 'datasets', '/api/datasets?limit=50'],
  ['tasks', 'tasks', '/api/scheduled-tasks?workspaceId=w&limit=50'],
  ['skills', 'skills', '/api/skills?workspaceId=w&limit=50'],
])('palette entries for %s lead to their views in %s', async (name, folder, address) => {
  answerWith({ kind: 'chat' });
  const source = WORKSPACE_SOURCES.find((each) => each.name === name);
  expect(await source?.list('w', 'owl')).toEqual([
    { id: 'a/b', text: 'Owls', icon: expect.any(String), address: `/w/w/${folder}/a%2Fb` },
  ]);
  expect(asked).toEqual([address]);
});

it('palette sources all have a name for their entries', async () => {
  const { default: words } = await import('../../../web/languages/en/palette.json', {
    with: { type: 'json' },
  });
  const names = [...WORKSPACE_SOURCES, WORKSPACES].map(({ name }) => name);
  expect(Object.keys(words.groups)).toEqual(expect.arrayContaining(names));
});

it('palette does not list agent runs among the conversations as chats', async () => {
  answerWith({ kind: 'agent' });
  expect(await WORKSPACE_SOURCES[0]?.list('w', '')).toEqual([]);
  expect(asked).toEqual(['/api/conversations?workspaceId=w&limit=50']);
});
