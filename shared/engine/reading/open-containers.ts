import type { JsonPath } from '../core/json-path.ts'
import type { PartialArguments } from './arguments-reading.ts'

/** An object or array whose closer has not been read yet. */
export type OpenContainer = OpenObject | OpenArray

export interface OpenObject {
  kind: 'object'
  /** Members that a comma or closer has confirmed. */
  value: Record<string, unknown>
  /** The member whose value is being read, or is not confirmed yet. */
  key?: string
  pending?: unknown
  /** The name of the member that was confirmed last. */
  last?: string
}

interface OpenArray {
  kind: 'array'
  value: unknown[]
}

/** The value that is being read, for people (`a.b`; an array as a whole), undefined between members. */
export function locateOpenValue(containers: readonly OpenContainer[]): string | undefined {
  let path: string | undefined
  for (const container of containers) {
    if (container.kind === 'array' || container.key === undefined) return path
    path = path === undefined ? container.key : `${path}.${container.key}`
  }
  return path
}

/** The certainly complete part if the text ends (or cannot be read) inside these containers. */
export function completePart(containers: readonly [OpenObject, ...OpenContainer[]]): PartialArguments {
  const [root] = containers
  const unclosed: JsonPath[] = []
  let parent: OpenObject | undefined
  let path: JsonPath = []
  for (const container of containers) {
    if (container.kind === 'array') return { value: root.value, cut: path, unclosed }
    if (parent?.key !== undefined) parent.value[parent.key] = container.value
    unclosed.push(path)
    if (container.key === undefined) return { value: root.value, unclosed }
    path = [...path, container.key]
    parent = container
  }
  return { value: root.value, cut: path, unclosed }
}
