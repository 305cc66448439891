import type { Route } from '../../api/route.ts'
import { secondFactorRequired } from './account.ts'
import { authenticateUser } from './authenticate.ts'
import type { TokenUser, VerifyUserToken } from './user-token.ts'

/** Throws ApiError 403 unless the session has proven a second factor (`aal2` in Supabase Auth). */
export function requireSecondFactor({ hasSecondFactor }: Pick<TokenUser, 'hasSecondFactor'>): void {
  if (!hasSecondFactor) throw secondFactorRequired()
}

/** Throws unless a request may use its route, where the project requires a second factor (`ASKBACK_REQUIRE_AAL2`). */
export function createRouteGuard({
  verify,
  requireAal2 = false,
}: {
  verify: VerifyUserToken
  requireAal2?: boolean
}): (route: Route, request: Request) => Promise<void> {
  return async ({ decides }, request) => {
    if (requireAal2 && decides) requireSecondFactor(await authenticateUser(request, verify))
  }
}
