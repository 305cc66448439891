import { useState } from 'react'
import { useSession } from '../../base/session.tsx'
import { canNotify, chooseNotifying, isNotifying } from '../../waiting/notify.ts'
import { waitingWords } from './words.ts'

/** Turns browser notifications on or off for this user, for items opened after `askedAt`. */
export function NotifyChoice({ askedAt }: { askedAt: string }) {
  const userId = `${useSession().session?.user.id}`
  const [isOn, setOn] = useState(() => isNotifying(userId))
  const [isRefused, setRefused] = useState(false)
  const words = waitingWords()
  if (!canNotify()) return null
  const choose = async (wanted: boolean) => {
    const now = await chooseNotifying(userId, wanted, askedAt)
    setOn(now)
    // A prompt that is closed leaves it undecided: nothing is blocked then.
    setRefused(wanted && Notification.permission === 'denied')
  }
  return (
    <div className="notify-choice">
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => void choose(event.currentTarget.checked)}
        />{' '}
        {words.notify}
      </label>
      <p role="status" className="quiet small">
        {isRefused && words.notifyBlocked}
      </p>
    </div>
  )
}
