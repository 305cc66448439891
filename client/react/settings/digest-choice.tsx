import { useEffect, useState } from 'react'
import { showNumber } from '../../../shared/words/locale.ts'
import type { DigestSetting } from '../../api/types.ts'
import type { Askback } from '../../askback.ts'
import { createDigests } from '../../digests.ts'
import { describeFailure } from '../../labels/failure.ts'
import { Problem } from '../forms/problem.tsx'
import { useDigestLabels } from '../labels/use-digest-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import type { ShowNote } from './show-note.ts'

/** After how many minutes. */
const usual = [15, 60, 240, 1440]

/** Chooses when its user is mailed about what waits for them. It shows nothing where the project sends no such mails. */
export function DigestChoice({ askback, onNote }: { askback: Askback; onNote: ShowNote }) {
  const words = useDigestLabels()
  const labels = useLabels()
  const [setting, setSetting] = useState<DigestSetting>()
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    let isGone = false
    createDigests(askback)
      .read()
      .then(
        (read) => isGone || setSetting(read),
        (error: unknown) => isGone || setFailure(error),
      )
    return () => {
      isGone = true
    }
  }, [askback])

  if (failure !== undefined) return <Problem>{describeFailure(failure, labels)}</Problem>
  if (!setting?.isPossible) return null
  const { minutes, to } = setting
  const choices = [...new Set([...usual, ...(minutes === null ? [] : [minutes])])].sort((a, b) => a - b)
  const change = async (chosen: number | null) => {
    setBusy(true)
    try {
      setSetting(await createDigests(askback).change(chosen))
      onNote(chosen === null ? words.savedNever : words.saved(showSpan(chosen, labels.locale)), 'done')
    } catch (error) {
      onNote(describeFailure(error, labels), 'failed')
    }
    setBusy(false)
  }
  return (
    <section className="askback-provider" aria-label={words.title}>
      <h2>{words.title}</h2>
      {to === null ? (
        <p className="askback-quiet">{words.noAddress}</p>
      ) : (
        <div className="askback-field">
          <label>
            {words.choice}
            <select
              value={minutes ?? ''}
              disabled={isBusy}
              onChange={({ target }) => void change(target.value === '' ? null : Number(target.value))}
            >
              <option value="">{words.never}</option>
              {choices.map((one) => (
                <option key={one} value={one}>
                  {showSpan(one, labels.locale)}
                </option>
              ))}
            </select>
          </label>
          <p className="askback-quiet askback-small">{words.note(to)}</p>
        </div>
      )}
    </section>
  )
}

/** `15 minutes`, `1 hour`, `1 day`. */
function showSpan(minutes: number, locale: string): string {
  const [unit, size] =
    minutes % 1440 === 0 ? ['day', 1440] : minutes % 60 === 0 ? ['hour', 60] : ['minute', 1]
  return showNumber(
    minutes / Number(size),
    { style: 'unit', unit: String(unit), unitDisplay: 'long' },
    locale,
  )
}
