/*
 * Runs a Postgres server for a test run: `node postgres-guard.js FOLDER PID`. A separate process, so that the server is
 * stopped and FOLDER removed when the process PID ends or is killed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { preparePostgres } from './postgres-binaries.ts';
import { isAlive } from './processes.ts';

const [folder = '', watched = ''] = process.argv.slice(2);
const data = join(folder, 'data');
const sockets = join(folder, 'sockets');

// Tests do not need durability.
const settings = {
  listen_addresses: '',
  unix_socket_directories: sockets,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '200',
  shared_buffers: '32MB',
  // The default leaves files in /dev/shm after an immediate stop.
  dynamic_shared_memory_type: 'mmap',
};

/** Writes the result for the processes that wait for the file. Renaming makes it appear complete. */
function publish(name: 'ready' | 'failed', text: string): void {
  const draft = join(folder, `${name}.draft`);
  writeFileSync(draft, text);
  renameSync(draft, join(folder, name));
}

function start(): ChildProcess {
  const { bin, user } = preparePostgres(join(folder, 'postgres'));
  const options = { ...user, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  for (const path of [data, sockets]) {
    mkdirSync(path, { mode: 0o700 });
    if (user !== null) chownSync(path, user.uid, user.gid);
  }
  const cluster = [
    '--pgdata',
    data,
    '--username',
    'postgres',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--no-sync',
  ];
  execFileSync(join(bin, 'initdb'), cluster, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(join(bin, 'postgres'), ['-D', data, ...parameters], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

let server: ChildProcess | undefined;
const log: string[] = [];

function follow(line: string): void {
  log.push(line);
  if (log.length > 50) log.shift();
  if (!line.includes('database system is ready to accept connections')) return;
  publish('ready', `postgres://postgres@localhost/postgres?host=${encodeURIComponent(sockets)}`);
}

function leave(): void {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}

try {
  server = start();
  createInterface({ input: server.stderr as NodeJS.ReadableStream }).on('line', follow);
  server.on('exit', (code) => {
    server = undefined;
    if (existsSync(folder)) publish('failed', `Postgres ended with ${code}:\n${log.join('\n')}`);
  });
} catch (error) {
  publish('failed', `${(error as Error).message}\n${(error as { readonly stderr?: Buffer }).stderr ?? ''}`);
}

function stop(): void {
  if (server === undefined) leave();
  server?.on('exit', leave);
  // Immediate shutdown: the data is not needed.
  server?.kill('SIGQUIT');
}

process.on('SIGTERM', stop);
const watch = setInterval(() => {
  if (isAlive(Number(watched)) && existsSync(folder)) return;
  clearInterval(watch);
  stop();
}, 200);
