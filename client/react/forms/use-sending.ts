import { useEffect, useState } from 'react'
import { describeFailure } from '../../labels/failure.ts'
import { useLabels } from '../labels/use-labels.ts'

/** Whether something is being sent, and the sentence why the last one was not accepted; empty if it was. */
export function useSending() {
  const labels = useLabels()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()
  const isUnreached = (error as { code?: string } | undefined)?.code === 'unreachable'
  // The device has its connection back: nobody has to check it any more.
  useEffect(() => {
    if (!isUnreached) return
    const forget = () => setError(undefined)
    window.addEventListener('online', forget)
    return () => window.removeEventListener('online', forget)
  }, [isUnreached])
  const send = async (work: () => Promise<unknown>) => {
    setSending(true)
    setError(undefined)
    try {
      await work()
    } catch (error) {
      setError(error)
    } finally {
      setSending(false)
    }
  }
  return { isSending, failure: error === undefined ? '' : describeFailure(error, labels), send }
}
