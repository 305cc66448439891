import { z } from 'zod'
import type { Keyring } from '../../../shared/server/credentials/keyring.ts'
import {
  openSecret,
  type SealedSecret,
  sealSecret,
} from '../../../shared/server/credentials/sealed-secret.ts'

/** A secret of a sign-in, as stored in the database. */
export const sealedSchema = z.object({
  field: z.string(),
  ciphertext: z.string(),
  keyId: z.string(),
  version: z.number(),
})

/** Encrypts the PKCE verifier or the provider's code for the duration of a sign-in. */
export function sealForSignIn(
  keyring: Keyring,
  flowId: string,
  field: 'verifier' | 'code',
  value: string,
): Promise<SealedSecret> {
  return sealSecret(keyring, ownerOf(flowId), { field, value, version: 1 })
}

/** Rejects with SecretError if it belongs to another sign-in, or its key is gone. */
export function openForSignIn(keyring: Keyring, flowId: string, sealed: SealedSecret): Promise<string> {
  return openSecret(keyring, ownerOf(flowId), sealed)
}

/** The secrets of a sign-in belong to nobody yet: they are bound to the sign-in only. */
function ownerOf(flowId: string) {
  return { connectionId: flowId, userId: '', provider: 'sign-in' }
}
