import { useEffect, useState } from 'react'
import { withoutMark } from '../sentence.ts'

/** Something is waited for that goes on by itself: how long still. */
export function WaitCard({ sentence, resumeAt }: { sentence: string; resumeAt: string }) {
  const left = useSecondsUntil(resumeAt)
  return (
    <div className="askback-card askback-wait">
      <p>{withoutMark(sentence)}</p>
      <p className="askback-quiet">
        {left > 0 ? (
          <>
            Trying again in <span role="timer">{inWords(left)}</span>.
          </>
        ) : (
          'Trying again in a moment.'
        )}
      </p>
    </div>
  )
}

/** Whole seconds until then, once a second. */
export function useSecondsUntil(time: string): number {
  const secondsLeft = () => Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / 1000))
  const [left, setLeft] = useState(secondsLeft)
  useEffect(() => {
    setLeft(secondsLeft())
    if (secondsLeft() === 0) return
    const timer = setInterval(() => setLeft(secondsLeft()), 1000)
    return () => clearInterval(timer)
  }, [time])
  return left
}

/** `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function inWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
