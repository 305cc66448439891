import { createPrivateKey, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeCertificate } from '../../../local/inbox/certificate.ts'

describe('makeCertificate', async () => {
  const { key, certificate, authority } = await makeCertificate()
  const server = new X509Certificate(certificate)
  const signer = new X509Certificate(authority)

  it('is for this machine and belongs to its key', () => {
    expect(server.checkHost('localhost')).toBe('localhost')
    expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(server.checkHost('example.com')).toBeUndefined()
    expect(server.checkPrivateKey(createPrivateKey(key))).toBe(true)
  })

  it('is signed by the authority, and is not an authority itself', () => {
    expect(server.verify(signer.publicKey)).toBe(true)
    expect(server.checkIssued(signer)).toBe(true)
    expect([server.ca, signer.ca]).toEqual([false, true])
  })

  it('is valid now, for some years', () => {
    expect(new Date(server.validFrom).getTime()).toBeLessThan(Date.now())
    expect(new Date(server.validTo).getTime()).toBeGreaterThan(Date.now() + 5 * 365 * 24 * 60 * 60 * 1000)
  })

  it('is another one each time, so that no key is worth stealing', async () => {
    const other = new X509Certificate((await makeCertificate()).certificate)
    expect(other.serialNumber).not.toBe(server.serialNumber)
    expect(other.verify(signer.publicKey)).toBe(false)
  })
})
