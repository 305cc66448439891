import { mayOpen } from '../../../../shared/integrations/network/pinned-fetch.ts'
import { hostOf } from '../protocol/named-server.ts'
import {
  checkResourceAllowed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '../protocol/sdk.ts'
import { SignInFailed } from './sign-in-failed.ts'
import type { Flow, Registration, SignInStore } from './store.ts'

/** How we present ourselves to authorization servers. */
export interface ClientIdentity {
  /** Where people are sent back to. */
  redirectUrl: string
  /** The document that describes us, at its https address: some servers read it instead of registering us. */
  metadataUrl?: string
  name: string
  /** A registration that was made by hand; without an issuer, for the first one that it is used at. */
  registration?: Omit<Registration, 'issuer'> & { issuer?: string }
}

/** What one sign-in has come to. */
export interface Progress {
  authorizationUrl?: URL
  verifier?: string
  discovery?: OAuthDiscoveryState
  registration?: Registration
  tokens?: StoredOAuthTokens
  resource?: string
}

/**
 * The SDK's view of one sign-in. It never sees tokens that exist: with them it would refresh, or begin anew, as it sees fit.
 */
export function createProvider(
  identity: ClientIdentity,
  store: SignInStore,
  {
    server,
    state = '',
    flow,
    allowLoopback,
  }: { server: string; state?: string; flow?: Flow; allowLoopback: boolean },
): { provider: OAuthClientProvider; progress: Progress } {
  const progress: Progress = flow
    ? { verifier: flow.verifier, discovery: flow.discovery, registration: flow.registration }
    : {}
  const keep = (registration: Registration | undefined) => {
    progress.registration = registration
    return registration
  }
  const { redirectUrl, metadataUrl, name, registration: byHand } = identity
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(metadataUrl === undefined ? {} : { clientMetadataUrl: metadataUrl }),
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    state: () => state,
    async clientInformation(context) {
      const issuer = context?.issuer ?? ''
      if (flow) return flow.registration.issuer === issuer ? flow.registration : undefined
      if (byHand) return (byHand.issuer ?? issuer) === issuer ? keep({ ...byHand, issuer }) : undefined
      return keep(await store.findRegistration(issuer))
    },
    async saveClientInformation(given: StoredOAuthClientInformation, context) {
      const registration = keep({ ...given, issuer: context?.issuer ?? given.issuer ?? '' })
      // A document's address is no secret of an issuer: nothing is registered.
      if (registration && registration.client_id !== metadataUrl) await store.saveRegistration(registration)
    },
    tokens: () => undefined,
    saveTokens(tokens) {
      progress.tokens = tokens
    },
    redirectToAuthorization(url) {
      if (!mayOpen(url.href, allowLoopback)) throw new SignInFailed('page', hostOf(server))
      progress.authorizationUrl = url
    },
    saveCodeVerifier(verifier) {
      progress.verifier = verifier
    },
    codeVerifier() {
      if (progress.verifier === undefined) throw new SignInFailed('unknown', hostOf(server))
      return progress.verifier
    },
    saveDiscoveryState(discovery) {
      progress.discovery = discovery
    },
    discoveryState: () => progress.discovery,
    async invalidateCredentials(what) {
      if (what === 'client' && progress.registration) {
        await store.forgetRegistration(progress.registration.issuer)
        progress.registration = undefined
      }
    },
    // Always asked for, also where the server does not describe itself.
    async validateResourceURL(url, resource) {
      const asked = resource ?? String(url)
      if (!checkResourceAllowed({ requestedResource: url, configuredResource: asked })) {
        throw new SignInFailed('resource', hostOf(server))
      }
      progress.resource = asked
      // Exactly as it stands there, which a URL would change; the SDK takes a text, too.
      return asked as unknown as URL
    },
  }
  return { provider, progress }
}
