import { run } from './portable.mjs';

console.log(JSON.stringify(await run()));
