import { z } from 'zod'
import type { Keyring } from '../../../shared/server/credentials/keyring.ts'
import {
  openSecret,
  type SealedSecret,
  sealSecret,
} from '../../../shared/server/credentials/sealed-secret.ts'

/** A secret of a sign-in as the database holds it. */
export const sealedSchema = z.object({
  field: z.string(),
  ciphertext: z.string(),
  keyId: z.string(),
  version: z.number(),
})

/** Encrypts the PKCE verifier or the provider's code for the time of a sign-in. */
export function sealForSignIn(
  keyring: Keyring,
  flowId: string,
  field: 'verifier' | 'code',
  value: string,
): Promise<SealedSecret> {
  return sealSecret(keyring, ownerOf(flowId), { field, value, version: 1 })
}

/** Rejects with SecretError where it is another sign-in's, or its key is gone. */
export function openForSignIn(keyring: Keyring, flowId: string, sealed: SealedSecret): Promise<string> {
  return openSecret(keyring, ownerOf(flowId), sealed)
}

/** What belongs to a sign-in belongs to nobody yet: it is bound to the sign-in alone. */
function ownerOf(flowId: string) {
  return { connectionId: flowId, userId: '', provider: 'sign-in' }
}
