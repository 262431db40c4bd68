// The one entry behind every `npm run …`. Plain Node ≥ 20 without dependencies, since it runs before
// anything is installed: it brings pnpm, the packages and the system tools, then runs the task.
import { prepareWorkspace } from './setup/workspace.mjs';
import { runTask, taskNames } from './tasks.mjs';

const [task = '', ...args] = process.argv.slice(2);

if (!taskNames.includes(task)) {
  console.error(`Unknown task '${task}'. There are: ${taskNames.join(', ')}.`);
  process.exitCode = 2;
} else {
  try {
    prepareWorkspace([task, ...args]);
    process.exitCode = await runTask(task, args);
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
