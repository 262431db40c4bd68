// `npm run hire`: hires the best platform for the job in `job.json`, or in another file: `npm run hire -- other.json`.
import { isBonafideError } from '@bonafide/delegation';
import { say, settings, withAgent } from './agent.ts';
import { pathOf, readArguments, readJson } from './input.ts';

const [file = pathOf('job.json')] = readArguments(
  `Usage: npm run hire [-- <file>]

Hires the best platform for a job, and prints the result. The job is in job.json, or in another file of the same form.`,
  1,
);
const { id, inputs, suite } = readJson(file, ['id', 'inputs', 'suite']);

await withAgent(async ({ delegation }) => {
  // The same id is the same job: it is delivered again, and not paid again. One that failed is tried anew.
  let orderId = id;
  for (let again = 2; (await delegation.get(orderId))?.state.status === 'failed'; again += 1)
    orderId = `${id}, ${again}`;
  const order = { id: orderId, taskType: settings.taskType, inputs, suite, valueMsat: settings.jobMsat };
  const { name, content, verifiedBy } = await delegation.delegate(order).catch((error) => {
    if (!isBonafideError(error, 'NO_PLATFORM')) throw error;
    throw new Error(`${error.message} \`npm start\` finds platforms and gives them trials.`, {
      cause: error,
    });
  });
  await delegation.settled(orderId);
  say('note', '', `${orderId}: done by ${name}, verified by ${verifiedBy}`);
  process.stdout.write(`${content}\n`);
});
