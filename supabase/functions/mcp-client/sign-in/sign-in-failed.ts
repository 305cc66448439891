import type { Said } from '../../../../shared/engine/core/asked.ts'
import { inEnglish } from '../../../../shared/words/languages/in-english.ts'

/** Why signing in came to nothing: the `why` of the sentence `server_sign_in_failed`. */
export type SignInFault = 'page' | 'issuer' | 'resource' | 'refused' | 'unknown' | 'not_offered'

/** Nobody was signed in. Says nothing that the authorization server wrote. */
export class SignInFailed extends Error {
  override name = 'SignInFailed'
  readonly said: Said

  constructor(why: SignInFault, server?: string, options?: ErrorOptions) {
    const said: Said = { code: 'server_sign_in_failed', values: { server, why } }
    super(inEnglish(said), options)
    this.said = said
  }
}
