/** Why a command did nothing, in a sentence that says what to do. It ends with exit code 1. */
export class Refusal extends Error {
  override name = 'Refusal'
}
