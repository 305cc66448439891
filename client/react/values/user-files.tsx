import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { ChatMessage } from '../../api/message.ts'

/** A file in the conversation. */
interface UserFile {
  filename: string | undefined
  url: string
}

const Files = createContext<ReadonlyMap<string, UserFile>>(new Map())

/** Lets cards show the names of files that calls refer to by id. */
export function UserFilesProvider({
  messages,
  children,
}: {
  messages: readonly ChatMessage[]
  children: ReactNode
}) {
  // The same map while a message is being written, so that nothing renders again.
  const addresses = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part as { url?: string } | null)?.url ?? []),
  )
  const files = useMemo(() => listFiles(messages), [addresses.join('\n')])
  return <Files.Provider value={files}>{children}</Files.Provider>
}

/** The file with this id; undefined if no visible message has it. */
export function useUserFile(id: unknown): UserFile | undefined {
  const files = useContext(Files)
  return typeof id === 'string' ? files.get(id) : undefined
}

function listFiles(messages: readonly ChatMessage[]): Map<string, UserFile> {
  const files = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ parts }) => parts)
    .filter((part) => part?.type === 'file')
  return new Map(
    files.flatMap(({ url, filename }) => {
      const id = fileIdOf(url)
      return id === undefined ? [] : [[id, { filename, url }] as const]
    }),
  )
}

/** The id in the URL of a stored file; undefined for any other URL. */
export function fileIdOf(url: string): string | undefined {
  return /^https?:\/\/[^/?#]+\/functions\/v1\/chat\/files\/([0-9a-f-]{36})\?/.exec(url)?.[1]
}
