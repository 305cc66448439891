import { useEffect, useState } from 'react'
import { showBytes } from '../locale.ts'
import { useLabels } from './use-labels.ts'

/** How large a file is, in a few letters. */
export function Size({ bytes }: { bytes: number }) {
  return <span className="askback-quiet askback-size">{showBytes(bytes, useLabels().locale)}</span>
}

/** How large a stored file is, as soon as its server has said so. */
export function StoredSize({ url }: { url: string }) {
  const [bytes, setBytes] = useState<number>()
  useEffect(() => {
    const leaving = new AbortController()
    fetch(url, { method: 'HEAD', signal: leaving.signal })
      .then(({ ok, headers }) => {
        const length = headers.get('content-length')
        if (ok && length !== null) setBytes(Number(length))
      })
      // Its name tells enough.
      .catch(() => {})
    return () => leaving.abort()
  }, [url])
  return bytes === undefined ? null : <Size bytes={bytes} />
}

/** Bytes of what stands in a call itself. */
export function sizeOf(content: string, encoding: unknown): number {
  if (encoding !== 'base64') return new TextEncoder().encode(content).length
  return Math.floor((content.replace(/[=\s]/g, '').length * 3) / 4)
}
