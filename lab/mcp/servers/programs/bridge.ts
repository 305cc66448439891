// @ts-nocheck This folder's packages are those of lab/mcp.
import { createServer } from 'node:http'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

// `bridge.ts COMMAND ARGUMENT…`: a server that speaks over stdio, over Streamable HTTP: each session starts one. Prints its port.

const [command, ...args] = process.argv.slice(2)
const sessions = new Map()

async function open() {
  const child = new StdioClientTransport({ command, args, stderr: 'ignore', env: process.env })
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  /** The request that the child is at work for. */
  let current: string | number | undefined
  transport.onmessage = (message) => {
    if (message.id !== undefined && message.method !== undefined) current = message.id
    void child.send(message)
  }
  child.onmessage = (message) => {
    const isAnswer = message.method === undefined
    void transport.send(message, isAnswer ? {} : { relatedRequestId: current })
  }
  transport.onclose = () => void child.close()
  child.onclose = () => void transport.close()
  await child.start()
  await transport.start()
  return transport
}

const http = createServer(async (request, response) => {
  const transport = sessions.get(request.headers['mcp-session-id']) ?? (await open())
  await transport.handleRequest(request, response)
})
http.listen(0, '127.0.0.1', () => console.log(http.address().port))
process.on('disconnect', () => process.exit())
