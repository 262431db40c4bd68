/* Warnings of an artifact's process (`process.emitWarning()`), repeated in that of its test. */
import process from 'node:process';

const maxWarnings = 100;
const maxText = 500;
const { emitWarning } = process;
const textOr = (value, other) => (typeof value === 'string' ? value.slice(0, maxText) : other);

/** True for a suite that listens to warnings. */
export const listensToWarnings = (text) => /['"`]warning['"`]/.test(text);

/** Name, text and code of a warning, as `process.emitWarning()` is given it. */
const described = (warning, type, code) => {
  const options = type !== null && typeof type === 'object' ? type : { type, code };
  if (!(warning instanceof Error))
    return [textOr(options.type, 'Warning'), textOr(warning, ''), textOr(options.code, null)];
  return [textOr(warning.name, 'Warning'), textOr(warning.message, ''), textOr(warning.code, null)];
};

/** Notes warnings from now on, when they are emitted: listeners have them later. Returns a function that takes those since it was asked last. */
export function watchWarnings() {
  const noted = [];
  process.emitWarning = function noting(...args) {
    if (noted.length < maxWarnings) noted.push(described(...args));
    return Reflect.apply(emitWarning, this, args);
  };
  return () => noted.splice(0);
}

export function repeatWarning([name, text, code]) {
  Reflect.apply(emitWarning, process, [text, { type: name, ...(code === null ? {} : { code }) }]);
}
