/** One log method: an object first, then a message, as pino has it. */
export type LogMethod = (details: object, message?: string) => void;

/** What a package logs to (rule X-6). A pino logger is one. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

const ignore: LogMethod = () => {};

/** The default: says nothing. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
