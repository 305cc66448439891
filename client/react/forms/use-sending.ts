import { useState } from 'react'
import { describeFailure } from '../../labels/failure.ts'
import { useLabels } from '../labels/use-labels.ts'

/** Whether something is being sent, and the sentence why the last one was not accepted; empty if it was. */
export function useSending() {
  const labels = useLabels()
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')
  const send = async (work: () => Promise<unknown>) => {
    setSending(true)
    setFailure('')
    try {
      await work()
    } catch (error) {
      setFailure(describeFailure(error, labels))
    } finally {
      setSending(false)
    }
  }
  return { isSending, failure, send }
}
