import { findThrown } from '../../../../shared/engine/failures/classify-error.ts'
import { hostOf } from '../protocol/named-server.ts'
import { AuthorizationServerMismatchError, IssuerMismatchError, OAuthError } from '../protocol/sdk.ts'
import { type ServerFailure, SignInNeeded, serverFailure } from '../protocol/server-failure.ts'
import { SignInFailed } from './sign-in-failed.ts'

/** Our words for whatever signing in has thrown. `failure`: of a request, which the SDK may have put in other words. */
export function describeSignIn(
  server: string,
  cause: unknown,
  failure: ServerFailure | undefined,
): SignInFailed | ServerFailure {
  if (findThrown(cause)) throw cause
  const host = hostOf(server)
  if (cause instanceof SignInFailed) return cause
  if (cause instanceof IssuerMismatchError || cause instanceof AuthorizationServerMismatchError) {
    return new SignInFailed('issuer', host, { cause })
  }
  if (cause instanceof OAuthError) return new SignInFailed('refused', host, { cause })
  if (failure) return failure
  const known = serverFailure(server, cause)
  if (known instanceof SignInNeeded || known.why === 'no_mcp')
    return new SignInFailed('not_offered', host, { cause })
  return known
}
