/** The parts of an HTML tree that are used here (https://github.com/syntax-tree/hast). */
interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

/** Blocks that can follow the text of a list item. */
const blocks = new Set(['ul', 'ol', 'p', 'pre', 'blockquote', 'table', 'section'])

/**
 * A rehype plugin that makes a task's text the label of its checkbox, without the tasks nested in it.
 *
 * @param unnamed What a task without a text is called.
 */
export function taskLabels(unnamed: string) {
  return (tree: Node) => visit(tree, unnamed)
}

function visit(node: Node, unnamed: string): void {
  for (const child of node.children ?? []) visit(child, unnamed)
  if (node.tagName !== 'li' && node.tagName !== 'p') return
  const { children = [] } = node
  const first = children.find((child) => child.value?.trim() !== '')
  if (first?.tagName !== 'input') return
  const end = children.findIndex((child) => blocks.has(child.tagName ?? ''))
  const words = children.slice(0, end < 0 ? children.length : end)
  const hasWords = textOf({ type: 'element', children: words }).trim() !== ''
  // A checkbox without text needs a name.
  if (!hasWords) first.properties = { ...first.properties, ariaLabel: unnamed }
  const label = { type: 'element', tagName: 'label', properties: {}, children: words }
  node.children = [...(hasWords ? [label] : words), ...children.slice(words.length)]
}

/** The text of a subtree. */
export function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join('')
}
