/** A problem that the person running the command can fix. Only its message is printed, without a stack trace. */
export class StartError extends Error {
  override name = 'StartError'
}
