/**
 * Replaces the passkey and wallet code of auth-js, and its `globalThis` for browsers older than es2022: this app uses none of
 * them, and they are 3 KiB of the first page.
 */
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

export function polyfillGlobalThis(): void {}
