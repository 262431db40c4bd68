/**
 * The output functions of `bonafide`, for programs that want to look the same: tables, colors, sanitized text.
 * @packageDocumentation
 */

export { sanitizeRemoteText } from '@bonafide/internal';
export { describeTrust } from './describe-trust.ts';
export { createEventLog, type LogEvent } from './event-log.ts';
export { signed, trustCell } from './format.ts';
export { type CliIo, type Output, type Paint, processIo, type Style } from './io.ts';
export { narrateWork } from './narrate-work.ts';
export { createPrinter, type Printer } from './print.ts';
export { paintStatusWords } from './status-words.ts';
export type { Column } from './table-layout.ts';
