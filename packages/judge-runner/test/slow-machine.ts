/** Factor by which this machine is slower than an ordinary one, for runs in an emulator. Default 1. */
export const slowness = Math.max(1, Number(process.env.JUDGE_PATIENCE ?? 1));
