import { Question } from '../../../shared/engine/core/tool-error.ts'
import type { Gmail } from './gmail.ts'
import type { Label, Message } from './resources.ts'

export async function listLabels(gmail: Gmail): Promise<Label[]> {
  const { labels = [] } = await gmail.ask<{ labels?: Label[] }>({ path: '/labels' })
  return labels
}

/** Finds labels by id or name. Throws a Question that lists the existing names. */
export async function findLabels(
  gmail: Gmail,
  wanted: readonly string[],
  parameter: string,
): Promise<Label[]> {
  const labels = await listLabels(gmail)
  return wanted.map((text) => {
    const found = labels.find(({ id }) => id === text) ?? labels.find(({ name }) => isSame(name, text))
    if (found) return found
    const names = labels.map(({ name }) => name).slice(0, 50)
    throw new Question({ code: 'label_not_found', values: { label: text, labels: names } }, { parameter })
  })
}

export function isSame(name: string, other: string): boolean {
  return name.trim().toLowerCase() === other.trim().toLowerCase()
}

/** The names of the user's own labels by id; only fetched if a mail has one. */
export async function namesOf(gmail: Gmail, messages: readonly Message[]): Promise<Map<string, string>> {
  const ids = messages.flatMap(({ labelIds = [] }) => labelIds)
  if (!ids.some((id) => id.startsWith('Label_'))) return new Map()
  return new Map((await listLabels(gmail)).map(({ id, name }) => [id, name]))
}
