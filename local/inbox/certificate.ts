// The library below needs it for its decorators.
import 'reflect-metadata'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** PEM texts: a server certificate for this machine and the authority that signed it. */
export interface Certificate {
  key: string
  certificate: string
  authority: string
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const authorityName = 'CN=Askback local inbox authority'

/**
 * Makes a certificate for `localhost` and 127.0.0.1, signed by an authority made just for it, whose key is thrown away.
 * Two certificates, because rustls accepts no certificate that is its own authority.
 */
export async function makeCertificate(): Promise<Certificate> {
  const { subtle } = crypto
  const authority = await subtle.generateKey(algorithm, false, ['sign', 'verify'])
  const server = await subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const both = {
    ...validity(),
    issuer: authorityName,
    signingKey: authority.privateKey,
    signingAlgorithm: algorithm,
  }
  const signedBy = await AuthorityKeyIdentifierExtension.create(authority.publicKey)
  const [authorityCertificate, certificate, key] = await Promise.all([
    X509CertificateGenerator.create({
      ...both,
      subject: authorityName,
      publicKey: authority.publicKey,
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(authority.publicKey),
        signedBy,
      ],
    }),
    X509CertificateGenerator.create({
      ...both,
      subject: 'CN=localhost',
      publicKey: server.publicKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          { type: 'ip', value: '127.0.0.1' },
        ]),
        await SubjectKeyIdentifierExtension.create(server.publicKey),
        signedBy,
      ],
    }),
    subtle.exportKey('pkcs8', server.privateKey),
  ])
  return {
    key: PemConverter.encode(key, 'PRIVATE KEY'),
    certificate: certificate.toString('pem'),
    authority: authorityCertificate.toString('pem'),
  }
}

/** From yesterday (clocks differ) for ten years; each start makes a new one. */
function validity(): { notBefore: Date; notAfter: Date } {
  const notBefore = new Date(Date.now() - 24 * 60 * 60 * 1000)
  const notAfter = new Date(notBefore)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + 10)
  return { notBefore, notAfter }
}
