// A Cloudflare Worker: most runtimes of that kind take this shape.
import { run } from './portable.mjs';

export default {
  async fetch() {
    return Response.json(await run());
  },
};
