import type { Artifact } from './suite.ts';

/** A line that opens or closes a code block of Markdown. */
const fence = /^(?:`{3}|~{3})/;
const fenceOnAnyLine = /^(?:`{3}|~{3})/m;

/**
 * Returns true for an artifact whose code is in a Markdown code block, as models answer: a file of it begins with a fence, or could not
 * be loaded and has one on any line. Elsewhere a docstring may have a fence. Pure.
 */
export function hasMarkdownFence(artifact: Artifact, isLoaded: boolean): boolean {
  const texts =
    'source' in artifact
      ? [artifact.source]
      : Object.entries(artifact.files).flatMap(([path, content]) =>
          typeof content === 'string' && !/\.(?:md|markdown)$/i.test(path) ? [content] : [],
        );
  return texts.some((text) => fence.test(text.trimStart()) || (!isLoaded && fenceOnAnyLine.test(text)));
}
