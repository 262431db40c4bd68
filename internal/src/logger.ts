/** A log method with pino's arguments: an object first, then a message. */
export type LogMethod = (details: object, message?: string) => void;

/** A logger that a package writes to. A pino logger satisfies it. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

const ignore: LogMethod = () => {};

/** A logger that discards everything. The default of every package. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
