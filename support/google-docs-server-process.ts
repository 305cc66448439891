/** Started by `startGoogleDocsProcess`: Google Docs on Node, asked with one JSON text per line. */
import { createInterface } from 'node:readline'
import { type GoogleDocsServer, startGoogleDocs } from './google-docs-server.ts'

const google = await startGoogleDocs()
process.stdout.write(`${JSON.stringify({ url: google.url })}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const { lose } = JSON.parse(line) as { lose?: string }
  if (lose) google.faults.plan(new RegExp(`^POST .*${lose}`), { connection: 'lost' })
  process.stdout.write(`${JSON.stringify(stateOf(google))}\n`)
}
process.exit(0)

function stateOf({ files, sharing, markdownOf }: GoogleDocsServer) {
  return {
    documents: files.map(({ id, name }) => ({ id, name, markdown: markdownOf(id) })),
    mails: sharing.notified.length,
  }
}
