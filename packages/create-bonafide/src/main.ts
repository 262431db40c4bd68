#!/usr/bin/env node
import { runCommand } from './command-line.ts';

process.exitCode = runCommand(process.argv.slice(2), process);
