import { maxValueDepth } from './value.ts';

/**
 * Limits of what an artifact's box may send in one message. The box is told them, and says of what is beyond one that it cannot cross: that fails
 * its test. A message that is beyond one all the same is forged, and ends the run.
 */
export const messageLimits = {
  /** Levels of brackets. A value that is told by its number takes five of them, and one more where it is frozen. */
  brackets: 6 * maxValueDepth + 4,
  /** Arguments of a function of the test. */
  args: 10_000,
  /** Containers that have changed. */
  changed: 10_000,
  /** Containers within one that has changed, or within an answer. */
  inner: 10_000,
  /** Signals that were aborted. */
  aborted: 1000,
  /** What classes of the test were given. */
  given: 1000,
  /** Characters of a property's name. */
  name: 10_000,
  /** Variables of the environment, arguments of the process, and functions of the language that were replaced. */
  env: 1000,
  argv: 1000,
  replaced: 1000,
  /** Characters of the name of a variable, and of its value or an argument. */
  variable: 1000,
  text: 100_000,
} as const;
