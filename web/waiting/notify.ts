import { navigate } from 'wouter/use-browser-location'
import type { Askback } from '../../client/askback.ts'
import { withoutMark } from '../../client/values/sentence.ts'

const choice = (userId: string) => `askback-notify ${userId}`

/** Whether the user has turned on notifications here and the browser allows them. */
export function isNotifying(userId: string): boolean {
  return canNotify() && Notification.permission === 'granted' && localStorage.getItem(choice(userId)) !== null
}

/** On phones, pages cannot show them. */
export function canNotify(): boolean {
  return 'Notification' in window && window.matchMedia('(hover: hover)').matches
}

/**
 * Turns notifications on or off; turning them on asks the browser first. Returns whether they are on now.
 *
 * @param askedAt When the newest known item was opened.
 */
export async function chooseNotifying(userId: string, isOn: boolean, askedAt: string): Promise<boolean> {
  if (!isOn) localStorage.removeItem(choice(userId))
  else if ((await Notification.requestPermission()) === 'granted')
    localStorage.setItem(choice(userId), askedAt)
  return isNotifying(userId)
}

/** Notifies about items opened since the last time, unless the user is looking at the app. */
export async function notify(askback: Askback, userId: string): Promise<void> {
  if (!isNotifying(userId)) return
  const [open, approvals] = await Promise.all([askback.open(), askback.approvals.list()])
  // Of what others' agents ask, it is known for whom.
  const forGroups = approvals.items.map(({ item, askedFor }) => ({ ...item, conversationTitle: askedFor }))
  const items = [...open.items, ...forGroups]
  const told = localStorage.getItem(choice(userId)) ?? ''
  const fresh = items.filter(
    ({ type, askedAt, declinedIn }) => type !== 'wait' && !declinedIn && askedAt > told,
  )
  const newest = fresh
    .map(({ askedAt }) => askedAt)
    .sort()
    .at(-1)
  if (newest === undefined) return
  localStorage.setItem(choice(userId), newest)
  if (document.hasFocus()) return
  for (const { itemId, asked, question, conversationTitle } of fresh) {
    const shown = new Notification(withoutMark(asked ?? question), {
      body: conversationTitle ?? '',
      tag: itemId,
      icon: '/icon.svg',
    })
    shown.onclick = () => {
      window.focus()
      navigate('/waiting')
      shown.close()
    }
  }
}
