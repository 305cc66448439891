import { useEffect, useEffectEvent } from 'react'
import type { AroundNavHandler } from 'wouter'
import { useFolded } from '../base/use-folded.ts'

/** Closes what lies over the page, the topmost last. Each has an entry of its own in the history. */
const open: (() => void)[] = []
/** Whether an entry is being left here, which the browser does later. */
let isLeaving = false

/** How many such entries the current one and those before it are; kept by a reload and by Forward. */
const entered = (): number => (history.state as { over?: number } | null)?.over ?? 0

/** While it is open on a narrow screen, Back closes what this is rendered in, and stays on the page. */
export function BackCloses({ onClose }: { onClose(): void }) {
  const isFolded = useFolded()
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isFolded) return
    const closeThis = () => close()
    open.push(closeThis)
    enter()
    return () => {
      open.splice(open.indexOf(closeThis), 1)
      // Not at once: a menu may open a dialog, which takes its entry.
      setTimeout(leaveClosed)
    }
  }, [isFolded])
  return null
}

/** Wraps navigation: what is left for another page gives its entry to that page, so that Back leads here. */
export const leaveWithPage: AroundNavHandler = (navigate, to, options) => {
  if (entered() === 0) return navigate(to, options)
  if (new URL(to, location.href).href === location.href) return history.go(-entered())
  navigate(to, { ...options, replace: true })
  closeLeft()
}

function enter(): void {
  if (isLeaving) return
  while (entered() < open.length) history.pushState({ over: entered() + 1 }, '')
}

function closeLeft(): void {
  for (const close of open.slice(entered())) close()
}

/** An entry of something that is closed would cost a second press of Back. */
function leaveClosed(): void {
  const surplus = entered() - open.length
  if (surplus <= 0 || isLeaving) return
  isLeaving = true
  history.go(-surplus)
}

addEventListener('popstate', () => {
  if (isLeaving) {
    isLeaving = false
    // What was opened meanwhile.
    enter()
  } else closeLeft()
  leaveClosed()
})
leaveClosed()
