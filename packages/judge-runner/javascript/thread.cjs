/*
 * Lets texts of the suite's files alone run in a thread of a test: the tester's memory holds what the judge gave it. Loaded before anything else there.
 */
const { getEnvironmentData } = require('node:worker_threads');
const { dataOfThreads, watchCode } = require('./generated-code.mjs');

watchCode({
  ...getEnvironmentData(dataOfThreads),
  refuse: (reason) => new Error(reason),
  sites: { isLearning: false, isKnown: () => false },
  isAsked: true,
});
