import { useState } from 'react'
import { useSession } from '../../session.tsx'
import { canNotify, chooseNotifying, isNotifying } from '../../waiting/notify.ts'

/** Switches the browser's notifications on or off, for this user in this browser: of what is asked after `askedAt`. */
export function NotifyChoice({ askedAt }: { askedAt: string }) {
  const userId = `${useSession().session?.user.id}`
  const [isOn, setOn] = useState(() => isNotifying(userId))
  const [isRefused, setRefused] = useState(false)
  if (!canNotify()) return null
  const choose = async (wanted: boolean) => {
    const now = await chooseNotifying(userId, wanted, askedAt)
    setOn(now)
    setRefused(wanted && !now)
  }
  return (
    <div className="notify-choice">
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => void choose(event.currentTarget.checked)}
        />{' '}
        Notify me in this browser
      </label>
      <p role="status" className="quiet small">
        {isRefused && 'Your browser blocks notifications from this site. Allow them in its settings.'}
      </p>
    </div>
  )
}
