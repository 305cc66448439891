import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ToolDescription } from '../../../client/api/message.ts'
import { ToolNamesProvider } from '../../../client/react/labels/tool-names.tsx'
import { CallValues } from '../../../client/react/values/call-values.tsx'

test('an argument has the label on a card that its title gives it in a form, or a shorter one that its tool declares', () => {
  const tool: ToolDescription = {
    name: 'cancel_order',
    title: 'Cancel order',
    description: 'Cancels an order.',
    effect: 'write',
    parameters: {
      type: 'object',
      properties: {
        p_order_id: { type: 'integer', title: 'order id' },
        reply_to: { type: 'string', title: 'reply email address', short: 'reply to' },
      },
    },
    providers: [],
    function: 'database-api',
    action: 'cancel_order',
    approval: 'always',
    offReason: null,
  }
  const values = { p_order_id: 7, reply_to: 'ada@example.com', p_other: 1 }
  const card = createElement(CallValues, { toolName: 'cancel_order', values })
  const html = renderToStaticMarkup(createElement(ToolNamesProvider, { tools: [tool], children: card }))
  expect([...html.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, label]) => label)).toEqual([
    'Order id',
    'Reply to',
    'P other',
  ])
})
