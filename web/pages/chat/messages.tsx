import type { ComponentProps } from 'react'
import { MessageList } from '../../../client/react/message-list.tsx'
import { ToolNamesProvider } from '../../../client/react/tool-names.tsx'
import { useTools } from '../../queries.ts'

/** The messages with the tools' own titles. Loaded with the first message, so that the start page is light. */
export default function Messages(props: ComponentProps<typeof MessageList>) {
  return (
    <ToolNamesProvider tools={useTools()}>
      <MessageList {...props} />
    </ToolNamesProvider>
  )
}
