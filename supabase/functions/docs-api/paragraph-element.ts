import { isObject } from '../../../shared/engine/core/json-value.ts'

/** An element of a paragraph, as documents.get returns it: an object with one member that says what it is. */
export type ParagraphElement = Record<string, unknown>

/** Kinds of elements that people read as words, and where they have them. */
const chips: Readonly<
  Record<string, (properties: Record<string, unknown>) => { text: unknown; url?: unknown }>
> = {
  person: ({ personProperties }) => {
    const { name, email } = membersOf(personProperties)
    return name ? { text: name, url: `mailto:${email}` } : { text: email }
  },
  richLink: ({ richLinkProperties }) => {
    const { title, uri } = membersOf(richLinkProperties)
    return { text: title || uri, url: uri }
  },
  dateElement: ({ dateElementProperties }) => {
    const { displayText, timestamp } = membersOf(dateElementProperties)
    return { text: displayText || timestamp }
  },
}

/** The text of a run, which can be replaced; undefined for any other element. */
export function textOfRun({ textRun }: ParagraphElement): string | undefined {
  return isObject(textRun) && typeof textRun.content === 'string' ? textRun.content : undefined
}

/** The words of a smart chip (a person, a file, a date), and what it leads to; undefined for any other element. */
export function chipOf(element: ParagraphElement): { text: string; url?: string } | undefined {
  for (const [kind, read] of Object.entries(chips)) {
    if (!isObject(element[kind])) continue
    const { text, url } = read(element[kind])
    return {
      text: typeof text === 'string' ? text : '',
      url: typeof url === 'string' ? url : undefined,
    }
  }
  return undefined
}

/** Whether somebody suggests that an element be added or removed. One that is both is not there for anybody. */
export function suggestionFor(element: ParagraphElement): 'added' | 'removed' | undefined {
  const has = (name: string) =>
    Object.values(element).some(
      (kind) => isObject(kind) && Array.isArray(kind[name]) && kind[name].length > 0,
    )
  if (has('suggestedDeletionIds')) return 'removed'
  return has('suggestedInsertionIds') ? 'added' : undefined
}

/** The members of an object; none of anything else. */
export function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** The elements of a paragraph. */
export function elementsOf(paragraph: unknown): ParagraphElement[] {
  const { elements } = membersOf(paragraph)
  return Array.isArray(elements) ? elements.filter(isObject) : []
}
