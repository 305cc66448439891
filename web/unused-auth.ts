/** In place of what auth-js needs for passkeys and wallets: this app has neither, and 3 KiB less on its first page. */
const unused = (): never => {
  throw new Error('Nobody signs in here with a passkey or a wallet.')
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
