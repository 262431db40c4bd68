/* Whether a message is within the limits of those that the judge takes from an artifact's box. */

/** Levels of brackets in a text of JSON. */
function levelsOf(text) {
  let depth = 0;
  let deepest = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) index += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}

/**
 * What of a message is beyond a limit, as the end of "an answer …"; null for one that is within all.
 *
 * @param text of the message
 * @param limits as `src/message-limits.ts` names them
 */
export function beyondLimits(message, text, limits) {
  const { around = {}, local, given = [] } = message;
  const { env = [], argv = [], replaced = [] } = around;
  const { changed = [], aborted = [] } = message;
  const args = 'callback' in message ? message.args : [];
  const lists = { args, changed, aborted, given, env, argv, replaced };
  for (const [name, list] of Object.entries(lists))
    if (list.length > limits[name]) return `with more than ${limits[name]} of its ${name}`;
  const texts = {
    name: [local?.[2], ...given.map(([, , name]) => name)],
    variable: env.map(([name]) => name),
    text: [...env.map(([, value]) => value), ...argv],
  };
  for (const [name, all] of Object.entries(texts))
    if (all.some((each) => each?.length > limits[name]))
      return `with a ${name} of more than ${limits[name]} characters`;
  const isDeep = text.length > limits.brackets && levelsOf(text) > limits.brackets;
  return isDeep ? 'that is nested too deeply' : null;
}
