import { defineProject } from 'vitest/config';

// Most of it waits for real sockets, and for processes; a busy machine may take its time.
export default defineProject({ test: { name: 'nostr-transport', testTimeout: 20_000 } });
