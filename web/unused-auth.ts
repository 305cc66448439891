/** Replaces auth-js's code for passkeys, wallets and admins: this app signs out with it, and the rest is 5 KiB of the first page. */
const unused = (): never => {
  throw new Error('This app leaves out the code of auth-js for passkeys, wallets and admins.')
}

interface AuthServer {
  url: string
  headers: Record<string, string>
}

/** auth-js ends sessions through its admin code: this one, or all of its user's. */
export default class GoTrueAdminApi {
  #server: AuthServer
  constructor(server: AuthServer) {
    this.#server = server
  }

  async signOut(token: string, scope: string): Promise<{ error: Error | null }> {
    const { url, headers } = this.#server
    try {
      const { ok, status } = await fetch(`${url}/logout?scope=${scope}`, {
        method: 'POST',
        headers: { ...headers, Authorization: `Bearer ${token}` },
      })
      // A session that is over already is signed out.
      const isOver = ok || [401, 403, 404].includes(status)
      return { error: isOver ? null : Object.assign(new Error('Signing out failed.'), { status }) }
    } catch (error) {
      return { error: error as Error }
    }
  }
}

export class WebAuthnApi {}
export const webAuthnAbortService = { cancelCeremony: unused, createNewAbortSignal: unused }
export {
  unused as browserSupportsWebAuthn,
  unused as createCredential,
  unused as createSiweMessage,
  unused as deserializeCredentialCreationOptions,
  unused as deserializeCredentialRequestOptions,
  unused as fromHex,
  unused as getAddress,
  unused as getCredential,
  unused as serializeCredentialCreationResponse,
  unused as serializeCredentialRequestResponse,
  unused as toHex,
}
