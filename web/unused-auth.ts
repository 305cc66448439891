/** Replaces auth-js's code for passkeys, wallets and admins: this app uses none, and it is 5 KiB of the first page. */
const unused = (): never => {
  throw new Error('This app leaves out the code of auth-js for passkeys, wallets and admins.')
}

export default class GoTrueAdminApi {}
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
