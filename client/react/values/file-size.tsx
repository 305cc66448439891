import { useEffect, useState } from 'react'
import { showBytes } from '../../../shared/words/locale.ts'
import { useLabels } from '../labels/use-labels.ts'

/** A file size in a few characters. */
export function Size({ bytes }: { bytes: number }) {
  return <span className="askback-quiet askback-size">{showBytes(bytes, useLabels().locale)}</span>
}

/** The size of a stored file, once the server has answered. */
export function StoredSize({ url }: { url: string }) {
  const [bytes, setBytes] = useState<number>()
  useEffect(() => {
    const leaving = new AbortController()
    fetch(url, { method: 'HEAD', signal: leaving.signal })
      .then(({ ok, headers }) => {
        const length = headers.get('content-length')
        if (ok && length !== null) setBytes(Number(length))
      })
      // Then only the name is shown.
      .catch(() => {})
    return () => leaving.abort()
  }, [url])
  return bytes === undefined ? null : <Size bytes={bytes} />
}

/** The size in bytes of a file that is part of the call itself. */
export function sizeOf(content: string, encoding: unknown): number {
  if (encoding !== 'base64') return new TextEncoder().encode(content).length
  return Math.floor((content.replace(/[=\s]/g, '').length * 3) / 4)
}
