/** How many times slower than an ordinary machine this one is: 1, or what whoever runs the tests in an emulator says. */
export const patience = Math.max(1, Number(process.env.JUDGE_PATIENCE ?? 1));
