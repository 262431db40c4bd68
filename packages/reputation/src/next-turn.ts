import { runSoon } from '@bonafide/internal';

/** Resolves after the event loop has handled other events, so that long work does not block it. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void runSoon(resolve));
