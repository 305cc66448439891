import { chatWords } from './words.ts'

/** What is read of a tree of HTML (https://github.com/syntax-tree/hast). */
interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

/** Blocks that can stand in an item of a list, behind its own words. */
const blocks = new Set(['ul', 'ol', 'p', 'pre', 'blockquote', 'table', 'section'])

/** For rehype: the words of a task are the label of its box, without the tasks below it. */
export function taskLabels() {
  return (tree: Node) => visit(tree)
}

function visit(node: Node): void {
  for (const child of node.children ?? []) visit(child)
  if (node.tagName !== 'li' && node.tagName !== 'p') return
  const { children = [] } = node
  const first = children.find((child) => child.value?.trim() !== '')
  if (first?.tagName !== 'input') return
  const end = children.findIndex((child) => blocks.has(child.tagName ?? ''))
  const words = children.slice(0, end < 0 ? children.length : end)
  const hasWords = textOf({ type: 'element', children: words }).trim() !== ''
  // A box without words has a name of its own.
  if (!hasWords) first.properties = { ...first.properties, ariaLabel: chatWords().task }
  const label = { type: 'element', tagName: 'label', properties: {}, children: words }
  node.children = [...(hasWords ? [label] : words), ...children.slice(words.length)]
}

/** The words of a part of the tree. */
export function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join('')
}
