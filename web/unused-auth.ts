/** Replaces the passkey, wallet and admin code of auth-js: this app uses none of it, and it is 5 KiB of the first page. */
const unused = (): never => {
  throw new Error('Nobody signs in here with a passkey or a wallet, or as an admin.')
}

export class WebAuthnApi {}
export default class GoTrueAdminApi {}
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
