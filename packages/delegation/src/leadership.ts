/**
 * Elects one of the processes of an agent. Elections may overlap for some seconds, when a process was frozen or its connection was lost;
 * everything that the elected one does is safe to do twice.
 */
export interface Leadership {
  /**
   * Runs `task` whenever this process is elected, until `signal` aborts. The task's signal aborts when the election is lost or
   * `signal` aborts; the election is given up when the task has settled.
   */
  lead(task: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}
