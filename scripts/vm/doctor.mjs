// Prints what the judge finds on the machine it runs on, one line for each check and each layer.
import { probeSandbox } from '../../packages/judge-runner/src/index.ts';

const { checks, layers } = await probeSandbox();
for (const { status, name, detail, remedy } of checks)
  console.log(`${status} ${name}: ${detail}${remedy === null ? '' : ` → ${remedy}`}`);
for (const { inForce, name, detail } of layers)
  console.log(`${inForce ? 'in force' : 'missing'} ${name}: ${detail}`);
