import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

/** A file that is measured while somebody reads it. */
export class ReadFile {
  /** Bytes so far. */
  size = 0
  /** Why it could not be read to its end. */
  failure: unknown
  private readonly hash = createHash('sha256')
  private readonly chunks: AsyncIterable<Uint8Array>

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.chunks = chunks
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.chunks) {
        this.hash.update(chunk)
        this.size += chunk.byteLength
        yield chunk
      }
    } catch (error) {
      this.failure = error
      throw error
    }
  }

  /** In lower-case hex, once all of it was read. */
  sha256(): string {
    return this.hash.copy().digest('hex')
  }
}

/** Base64 in pieces, which are one text. */
export async function* inBase64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    // Four characters stand for three bytes.
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.toString('base64', 0, whole)
    rest = bytes.subarray(whole)
  }
  yield rest.toString('base64')
}
