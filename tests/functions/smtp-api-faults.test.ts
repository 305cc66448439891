import { implement } from '../../supabase/functions/smtp-api/actions.ts'
import { integration } from '../../supabase/functions/smtp-api/integration.ts'
import type { FaultName } from '../../support/integration-faults.ts'
import { describeIntegration } from '../../support/integration-suite.ts'
import type { ProviderReply } from '../../support/scripted-provider.ts'
import { type RemoteSmtpServer, startSmtpProcess } from '../../support/smtp-process.ts'
import type { SmtpScript } from '../../support/smtp-server.ts'

/** The faults that a mail server has too, played by a real one. */
const password = 'correct horse battery staple'
const smtp = startSmtpProcess()
let server: RemoteSmtpServer = await smtp.start()
let port = server.port

/** `stage` is where the fault is: at the sign-in, or after the dot that ends a mail. */
function scriptFor(reply: ProviderReply | undefined, stage: 'auth' | 'message'): SmtpScript {
  if (reply === undefined || reply === 'refused') return {}
  if (reply === 'silent') return { on: { [stage]: ['hang'] } }
  if (reply === 'lost' || reply === 'cut') return { on: { [stage]: ['drop'] } }
  if (reply.status === 401) return { on: { auth: [`535 5.7.8 ${password} is wrong`] } }
  return { on: { [stage]: ['451 4.3.0 Try later'] } }
}

const faults: FaultName[] = ['outage', 'timeout', 'bad key', 'server error', 'lost answer']
const waits = { errorType: 'unavailable', resolver: 'time' } as const

describeIntegration({
  integration,
  createActions: () =>
    implement({
      allowPrivateHosts: true,
      certificateAuthority: server.authority,
      deadlineMs: 1000,
      hosted: false,
    }),
  env: {},
  connection: {
    provider: 'smtp',
    values: {
      host: '127.0.0.1',
      user: 'ada@example.com',
      password,
      get port() {
        return port
      },
    },
  },
  provider: {
    async script(reply, path) {
      server = await smtp.start(scriptFor(reply, path === 'mail' ? 'message' : 'auth'))
      // Nobody listens on port 1.
      port = reply === 'refused' ? 1 : server.port
    },
    async asked(path) {
      const { mails, commands, connections } = await server.inspect()
      if (path === '') return connections
      return path === 'mail' ? mails.length : commands.filter((command) => command.startsWith('AUTH')).length
    },
    // An account has a limit of its own.
    silence: () => new Promise(() => {}),
  },
  cases: [
    { action: 'test_connection', params: {}, path: 'sign-in', faults },
    {
      action: 'send_email',
      params: { to: ['grace@example.com'], subject: 'Meeting', body: 'At ten.' },
      path: 'mail',
      faults,
      // A server that answers 451 to the dot has taken nothing.
      endings: { 'server error': waits },
    },
  ],
})
