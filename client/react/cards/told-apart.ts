import { createContext, useContext } from 'react'
import type { Pending } from '../../api/message.ts'
import { isSameJson } from '../../values/json-text.ts'
import { nameItem } from '../../values/name-item.ts'
import { shorten, withoutMark } from '../../values/sentence.ts'
import { type ToolNames, useToolNames } from '../labels/tool-names.tsx'

/** Values that tell a call from others that read alike, and characters of each. */
const mostValues = 3
const longestValue = 60

type Names = Pick<ToolNames, 'parameter' | 'value'>

/** A call among several: what it asks, and the same as a statement. */
export interface Told {
  asked: string
  stated: string
}

/** What each of several calls asks, by item; of those that read alike, with the values that differ between them. */
export function tellApart(items: readonly Pending[], names: Names): Map<string, Told> {
  return new Map(
    items.map((item) => {
      const told = differenceOf(item, items, names)
      const say = (words: string) => (told === '' ? words : `${words} (${told})`)
      const asked = askedOf(item)
      return [
        item.itemId,
        { asked: say(asked), stated: say(item.statement ? shorten(item.statement) : asked) },
      ]
    }),
  )
}

/** The values in which a call differs from others of its tool that read alike; empty if it has none. */
function differenceOf(item: Pending, items: readonly Pending[], names: Names): string {
  const { toolName, values = {} } = item
  const asked = askedOf(item)
  const alike = items.filter((other) => other.toolName === toolName && askedOf(other) === asked)
  return Object.keys(values)
    .filter((name) => !isBlank(values[name]))
    .filter((name) => alike.some((other) => !isSameJson(other.values?.[name], values[name])))
    .slice(0, mostValues)
    .map((name) => {
      const value = names.value(toolName, name, values[name]) ?? nameValue(values[name])
      return `${names.parameter(toolName, name)}: ${shorten(value, longestValue)}`
    })
    .join(', ')
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** A value by the names of what is in it, as in forms. */
function nameValue(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? value.map(nameItem).join(', ') : nameItem(value)
}

/** All that is open where a card is shown. */
export const OpenBeside = createContext<readonly Pending[]>([])

/** What tells a card from the others that are open beside it; empty if nothing has to. */
export function useDifference(item: Pending): string {
  return differenceOf(item, useContext(OpenBeside), useToolNames())
}

function askedOf({ confirm, asked, question, changedSentence }: Pending): string {
  return [changedSentence, shorten(withoutMark(confirm ?? asked ?? question))].filter(Boolean).join(' ')
}
