import { fileURLToPath } from 'node:url'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import {
  isBindingElement,
  isObjectBindingPattern,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { API, type Project } from 'typescript/unstable/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const reading = new Set(['json', 'text', 'arrayBuffer', 'blob', 'bytes', 'formData', 'clone', 'body'])
/** What leaves a body unread. */
const harmless = /^\s*(?:\?\.cancel\(|[!=]==? null\b|instanceof\b)/

/** Files that hold an answer's body themselves. */
const guarded: Record<string, string> = {
  'shared/engine/models/protocol/chat-call.ts': 'streams of models, with meterBody',
  'shared/integrations/network/public-fetch.ts': 'pages, with collectBytes',
  'shared/integrations/network/pinned-fetch.ts': 'servers, with meterBody',
  'shared/integrations/network/public-post.ts': 'destinations, of whose answers nothing is read',
  'shared/engine/tools/tool-outcome.ts': 'a Response of another client, which no web stream is in',
}

let api: API
let project: Project
beforeAll(() => {
  api = new API({ cwd: root })
  const [opened] = api.updateSnapshot({ openProject: `${root}tsconfig.json` }).getProjects()
  if (!opened) throw new Error('tsconfig.json cannot be read.')
  project = opened
})
afterAll(() => api?.close())

/** Where a file reads the body of an answer by itself: `text()` and the like of a Response, whatever it is called. */
function findReaders(path: string): string[] {
  const file = project.program.getSourceFile(path)
  if (!file) throw new Error(`${path} is not compiled.`)
  const found: string[] = []
  const visit = (node: Node): void => {
    const read = readOf(node, file)
    if (read && isAnswer(read.from)) found.push(`${path.slice(root.length)}: ${read.name}`)
    node.forEachChild(visit)
  }
  file.forEachChild(visit)
  return found
}

/** A member of something that may be an answer. */
function readOf(node: Node, file: SourceFile): { from: Node; name: string } | undefined {
  if (isPropertyAccessExpression(node)) {
    const name = node.name.getText(file)
    const isRead = reading.has(name) && !harmless.test(file.text.slice(node.end, node.end + 20))
    return isRead ? { from: node.expression, name } : undefined
  }
  if (!isVariableDeclaration(node) && !isParameterDeclaration(node)) return undefined
  if (!isObjectBindingPattern(node.name)) return undefined
  const names = node.name.elements
    .filter(isBindingElement)
    .map((one) => (one.propertyName ?? one.name)?.getText(file) ?? '')
  const name = names.find((one) => reading.has(one))
  const from = isVariableDeclaration(node) ? (node.initializer ?? node.name) : node.name
  return name === undefined ? undefined : { from, name }
}

/** By its type: of fetch, of undici, or of Node. A parameter's pattern has the type of its annotation. */
function isAnswer(node: Node): boolean {
  const annotated = isObjectBindingPattern(node) ? (node.parent as { type?: Node }).type : undefined
  const type = project.checker.getTypeAtLocation(annotated ?? node)
  const names = type === undefined ? [] : project.checker.typeToString(type).split(' | ')
  return names.some((name) =>
    /^(?:Pick<)?(?:Dispatcher\.)?(?:Response|ResponseData|IncomingMessage)\b/.test(name),
  )
}

it('finds every way to read an answer', () => {
  const names = findReaders(`${root}support/unlimited-readers.ts`).map((one) => one.split(': ')[1])
  expect(names).toEqual(['json', 'text', 'arrayBuffer', 'body', 'body', 'body'])
})

it('reads no answer from outside without a limit', () => {
  const ours = project.rootFiles.filter((path) =>
    /^(?:shared|cli|supabase\/functions)\//.test(path.slice(root.length)),
  )
  expect(ours.length).toBeGreaterThan(500)
  const readers = ours.flatMap(findReaders)
  const files = new Set(readers.map((one) => one.split(':')[0]))
  expect([...files].sort(), readers.join('\n')).toEqual(Object.keys(guarded).sort())
})

it('leaves no answer to a library that reads it to its end', () => {
  const ours = project.rootFiles.filter((path) =>
    /^(?:shared|supabase\/functions)\//.test(path.slice(root.length)),
  )
  // jose's own, supabase-js, Google's packages.
  const library = /\bcreateRemoteJWKSet\(|from '(?:@supabase\/(?!lite)|@?googleapis|google-auth)/
  expect(ours.filter((path) => library.test(project.program.getSourceFile(path)?.text ?? ''))).toEqual([])
})
