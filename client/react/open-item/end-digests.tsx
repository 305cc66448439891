import { useState } from 'react'
import type { Askback } from '../../askback.ts'
import { createDigests } from '../../digests.ts'
import { describeFailure } from '../../labels/failure.ts'
import { Problem } from '../forms/problem.tsx'
import { useDigestLabels } from '../labels/use-digest-labels.ts'
import { useLabels } from '../labels/use-labels.ts'

/** Whether a link is that of a mail, by which such mails are ended. */
export function endsDigests(token: string): boolean {
  return token.startsWith('asku_')
}

/** Asks whoever came by the link of a mail, since mail programs open links in advance, and ends the mails. */
export function EndDigests({ askback, token }: { askback: Askback; token: string }) {
  const words = useDigestLabels()
  const labels = useLabels()
  const [state, setState] = useState<'asked' | 'busy' | 'ended'>('asked')
  const [failure, setFailure] = useState('')
  const end = async () => {
    setState('busy')
    setFailure('')
    try {
      await createDigests(askback).end(token)
      setState('ended')
    } catch (error) {
      setFailure(describeFailure(error, labels))
      setState('asked')
    }
  }
  return (
    <section className="askback-open-item" aria-label={words.endQuestion}>
      <div className="askback-card">
        {state === 'ended' ? (
          <p role="status">{words.ended}</p>
        ) : (
          <>
            <h1>{words.endQuestion}</h1>
            <p>{words.endNote}</p>
            <Problem>{failure}</Problem>
            <div className="askback-actions">
              <button
                type="button"
                className="askback-primary"
                disabled={state === 'busy'}
                onClick={() => void end()}
              >
                {words.end}
              </button>
            </div>
          </>
        )}
      </div>
    </section>
  )
}
