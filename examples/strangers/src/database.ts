/**
 * Returns the URL of a Postgres database for the agent: `DATABASE_URL`, else one of a server that is started with this machine's
 * Postgres and ends with this process.
 *
 * @throws with the command that installs Postgres when there is none
 */
export async function openDatabase(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  if (env.DATABASE_URL) return env.DATABASE_URL;
  // Loaded on demand: it brings the test runner.
  const { hasPostgres, startPostgres } = await import('@bonafide/storage/testing');
  if (hasPostgres()) return (await startPostgres()).url;
  throw new Error(
    'No Postgres server was found. Install one: sudo apt-get install postgresql. Or name a database for the agent: DATABASE_URL=postgres://…',
  );
}
