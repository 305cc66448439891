import { useQuery } from '@tanstack/react-query'
import type { McpServer } from '../../../client/api/types.ts'
import { failureSentence } from '../../base/failure-sentence.ts'
import type { ServerCalls } from './server-calls.ts'
import { serversWords } from './words.ts'

/** What is different with the tools of a server, each with what was there before and what there is to accept. */
export function ServerChanges({
  server,
  calls,
  isBusy,
  onAccept,
}: {
  server: McpServer
  calls: ServerCalls
  isBusy: boolean
  onAccept(tool: string): void
}) {
  const words = serversWords()
  const { data, error } = useQuery({
    queryKey: ['servers', server.id, 'changes'],
    queryFn: () => calls.changes(server.id),
  })
  return (
    <details>
      <summary>{words.changes(server.changes)}</summary>
      {error && <p role="alert">{failureSentence(error)}</p>}
      <ul className="rows">
        {data?.map(({ name, title, said, before, after }) => (
          <li key={name} className="token">
            <div>
              <strong dir="auto">{title}</strong>
              {said.map((sentence) => (
                <p key={sentence} className="quiet small" dir="auto">
                  {sentence}
                </p>
              ))}
              {before && after && <Definition label={words.before} description={before.description} />}
              {after && <Definition label={words.after} description={after.description} />}
            </div>
            {server.changeable && (
              <button
                type="button"
                disabled={isBusy}
                aria-label={words.acceptThis(title)}
                onClick={() => onAccept(name)}
              >
                {words.accept}
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Definition({ label, description }: { label: string; description: string }) {
  if (description === '') return null
  return (
    <p className="small" dir="auto">
      <strong>{label}:</strong> {description}
    </p>
  )
}
