import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Servers compress an answer once, in one of these; one that is compressed twice is a bomb. */
const unpack: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** A body as it was before it was compressed, of a `content-encoding`; undefined if that is not one of the web's. */
export function unpackedBody(body: Readable, contentEncoding: string): Readable | undefined {
  const packing = contentEncoding.trim().toLowerCase()
  if (packing === '' || packing === 'identity') return body
  const unpacker = unpack[packing]?.()
  return unpacker && pipeline(body, unpacker, () => {})
}
