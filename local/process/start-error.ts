/** Something the person who starts the stack can put right. The message is the whole story: it is printed without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
