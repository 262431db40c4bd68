/*
 * Lets texts of the suite's files alone run in a thread of a test: the tester's memory holds what the judge gave it. Loaded before anything else there.
 */
const { registerHooks } = require('node:module');
const { getEnvironmentData } = require('node:worker_threads');
const { dataOfThreads, watchCode } = require('./generated-code.mjs');

const code = watchCode({
  ...getEnvironmentData(dataOfThreads),
  refuse: (reason) => new Error(reason),
  sites: { isLearning: false, isKnown: () => false },
  isAsked: true,
});

registerHooks({
  load(url, context, next) {
    if (!code.isKnownModule(url))
      throw new Error('imports in a thread a module that the artifact may have answered');
    return next(url, context);
  },
});
