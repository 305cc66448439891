/** The id of a process of a stack, to send it a signal. A signal to no process (0) would end the test runner itself. */
export function pidOf(pids: Record<string, number>, name: string): number {
  const pid = pids[name]
  if (pid) return pid
  throw new Error(`The stack has no process "${name}". It has: ${Object.keys(pids).join(', ') || 'none'}`)
}
