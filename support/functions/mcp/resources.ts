import { ProtocolError, ProtocolErrorCode } from '../../../supabase/functions/mcp/protocol/sdk.ts'
import type { Methods } from '../../../supabase/functions/mcp/protocol/service.ts'
import { image } from './media.ts'

const texts: Record<string, string> = {
  'test://static-text': 'This is the content of the static text resource.',
  'test://watched-resource': 'Watched resource content',
}

export const resourceMethods: Pick<
  Methods,
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read'
  | 'resources/subscribe'
  | 'resources/unsubscribe'
> = {
  'resources/list': async () => ({
    resources: [
      ...Object.keys(texts).map((uri) => ({ uri, mimeType: 'text/plain' })),
      { uri: 'test://static-binary', mimeType: image.mimeType },
    ].map(({ uri, mimeType }) => ({
      uri,
      name: uri.slice('test://'.length),
      description: `The fixture ${uri}.`,
      mimeType,
    })),
  }),
  'resources/templates/list': async () => ({
    resourceTemplates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        description: 'The fixture of templates.',
        mimeType: 'application/json',
      },
    ],
  }),
  async 'resources/read'({ uri }) {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
    const text = texts[uri]
    if (text !== undefined) return { contents: [{ uri, mimeType: 'text/plain', text }] }
    if (uri === 'test://static-binary') {
      return { contents: [{ uri, mimeType: image.mimeType, blob: image.data }] }
    }
    if (id !== undefined) {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri, mimeType: 'application/json', text: data }] }
    }
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not found', { uri })
  },
  'resources/subscribe': async () => ({}),
  'resources/unsubscribe': async () => ({}),
}
