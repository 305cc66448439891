/** Started by `startSmtpProcess`: scripted mail servers on request, one JSON text per line on both sides. */
import { createInterface } from 'node:readline'
import { type ScriptedSmtpServer, type SmtpScript, startSmtpServer } from './smtp-server.ts'

const servers = new Map<number, ScriptedSmtpServer>()

for await (const line of createInterface({ input: process.stdin })) {
  const { id, start, inspect } = JSON.parse(line) as { id: number; start?: SmtpScript; inspect?: number }
  if (start) {
    const server = await startSmtpServer(start)
    servers.set(server.port, server)
    reply({ id, port: server.port, authority: server.certificate.authority })
  } else {
    const server = servers.get(inspect ?? 0)
    reply({ id, mails: server?.mails, commands: server?.commands, connections: server?.connections })
  }
}
process.exit(0)

function reply(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
