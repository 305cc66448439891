import { createContext, type KeyboardEvent, type ReactNode, useContext, useState } from 'react'

/** Id of the row that Tab stops at; undefined outside of such a list. */
const Stop = createContext<string | null | undefined>(undefined)
/** Marks the elements that arrow keys move to. */
const rowMark = 'data-row'

/**
 * Rows that share one Tab stop: the arrow keys move between rows and sideways to a row's menu; Home and End go to the
 * first and the last row.
 */
export function RovingList({
  ids,
  openId,
  children,
}: {
  ids: readonly string[]
  /** The open row: Tab stops there until another row is visited, and again when another one is opened. */
  openId: string | undefined
  children: ReactNode
}) {
  const [visited, setVisited] = useState<string>()
  const [before, setBefore] = useState(openId)
  if (before !== openId) {
    setBefore(openId)
    setVisited(undefined)
  }
  const listed = (id: string | undefined) => ids.find((one) => one === id)
  const stop = listed(visited) ?? listed(openId) ?? ids[0] ?? null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles keys for the rows in it
    <div
      className="askback-conversations"
      onFocus={({ target }) => {
        const row = target.closest(`[${rowMark}], li`)
        const id = (row?.matches('li') ? row.querySelector(`[${rowMark}]`) : row)?.getAttribute(rowMark)
        if (id) setVisited(id)
      }}
      onKeyDown={move}
    >
      <Stop.Provider value={stop}>{children}</Stop.Provider>
    </div>
  )
}

/** The props that make a row, or the end of the list, reachable. */
export function useStop(id: string): { tabIndex?: number; [rowMark]?: string } {
  const stop = useContext(Stop)
  return stop === undefined ? {} : { tabIndex: stop === id ? 0 : -1, [rowMark]: id }
}

/** Moves the focus into the list from the element above it. */
export function enterList(within: Element | null): void {
  within?.querySelector<HTMLElement>(`[${rowMark}][tabindex="0"]`)?.focus()
}

function move(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: list, target, key } = event
  // Leave text inputs alone; and menus are elsewhere in the page.
  if (!(target instanceof HTMLElement) || !list.contains(target) || target.matches('input')) return
  const next = findNext(list, target, key)
  if (!next) return
  event.preventDefault()
  next.focus()
}

function findNext(list: HTMLElement, from: HTMLElement, key: string): HTMLElement | null | undefined {
  const rows = [...list.querySelectorAll<HTMLElement>(`[${rowMark}]`)]
  const at = rows.findIndex((row) => row === from || row.parentElement?.contains(from))
  switch (key) {
    case 'ArrowDown':
      return rows[at + 1]
    case 'ArrowUp':
      return rows[at - 1]
    case 'Home':
      return rows[0]
    case 'End':
      return rows.at(-1)
    case 'ArrowRight':
    case 'ArrowLeft':
      return rows[at] === from ? from.parentElement?.querySelector<HTMLElement>('button') : rows[at]
    default:
      return undefined
  }
}
