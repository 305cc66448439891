import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** PEM texts: a server certificate for this machine and the authority that signed it. */
export interface Certificate {
  key: string
  certificate: string
  authority: string
}

/**
 * Makes a certificate for `localhost` and 127.0.0.1, signed by an authority made for it alone, whose key is
 * forgotten. Two of them because rustls takes no certificate that is its own authority; both of version 3 (X.509,
 * RFC 5280). Node can sign but not build certificates, hence the DER below.
 */
export function makeCertificate(): Certificate {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const authorityName = commonName('Askback local inbox authority')
  const authorityId = keyIdentifier(authority.publicKey)
  const signedBy = { name: authorityName, key: authority.privateKey, id: authorityId }
  return {
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: certificate(signedBy, commonName('localhost'), server.publicKey, [
      extension('2.5.29.19', true, sequence()),
      extension('2.5.29.15', true, bitString(Buffer.from([0x80]), 7)),
      extension('2.5.29.37', false, sequence(objectId('1.3.6.1.5.5.7.3.1'))),
      extension(
        '2.5.29.17',
        false,
        sequence(tagged(0x82, 'localhost'), tagged(0x87, Buffer.from([127, 0, 0, 1]))),
      ),
    ]),
    authority: certificate(signedBy, authorityName, authority.publicKey, [
      extension('2.5.29.19', true, sequence(der(0x01, Buffer.from([0xff])))),
      extension('2.5.29.15', true, bitString(Buffer.from([0x06]), 1)),
    ]),
  }
}

interface Signer {
  name: Buffer
  key: KeyObject
  id: Buffer
}

const ecdsaWithSha256 = () => sequence(objectId('1.2.840.10045.4.3.2'))

/** Valid from yesterday (clocks differ) for ten years: a start makes a new one. */
function certificate(signer: Signer, subject: Buffer, key: KeyObject, extensions: Buffer[]): string {
  const from = new Date(Date.now() - 24 * 60 * 60 * 1000)
  const until = new Date(from)
  until.setUTCFullYear(until.getUTCFullYear() + 10)
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    ecdsaWithSha256(),
    signer.name,
    sequence(time(from), time(until)),
    subject,
    key.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        ...extensions,
        extension('2.5.29.14', false, der(0x04, keyIdentifier(key))),
        extension('2.5.29.35', false, sequence(tagged(0x80, signer.id))),
      ),
    ),
  )
  const signature = bitString(sign('sha256', content, signer.key), 0)
  const base64 = sequence(content, ecdsaWithSha256(), signature).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(objectId('2.5.4.3'), der(0x0c, Buffer.from(name)))))
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  const flag = critical ? [der(0x01, Buffer.from([0xff]))] : []
  return sequence(objectId(id), ...flag, der(0x04, value))
}

/** One DER element: tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const length = Buffer.from(content.length.toString(16).padStart(content.length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content])
}

function sequence(...elements: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(elements))
}

function tagged(tag: number, content: Buffer | string): Buffer {
  return der(tag, Buffer.from(content))
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes)
}

function bitString(bytes: Buffer, unusedBits: number): Buffer {
  return der(0x03, Buffer.concat([Buffer.from([unusedBits]), bytes]))
}

/** UTCTime, which RFC 5280 demands until 2049, GeneralizedTime from 2050. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, '')
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits))
}

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(number: number): number[] {
  const digits = [number & 0x7f]
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}
