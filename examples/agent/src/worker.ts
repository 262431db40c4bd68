// One more process of the agent, over the same database: `node worker.ts <settings as JSON>`.
import { createEventLog, narrateWork } from '@bonafide/cli/terminal';
import { startAgent } from './agent.ts';
import { labelOf, type Say } from './run.ts';

// When the first process dies, however it dies, the channel closes and this one goes too.
process.on('disconnect', () => process.exit(0));

const { name, jobs, ...settings } = JSON.parse(process.argv[2] ?? '');
const { delegation } = await startAgent(settings);
const say: Say = createEventLog();
narrateWork(delegation, (verb, who, ...columns) => say(verb, who, ...columns, `(${name})`), labelOf(jobs));
process.send?.('ready');
