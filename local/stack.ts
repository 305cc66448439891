import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import type { DataApi } from './data-api.ts'
import { openDataDirectory, writePrivateFile } from './data-directory.ts'
import { type Database, useDatabaseUrl } from './database.ts'
import { demoEmail, prepareDemoUser } from './demo-user.ts'
import { makeFunctionEnvironment } from './functions/environment.ts'
import { createFunctionHost } from './functions/function-host.ts'
import { startGateway } from './gateway.ts'
import { renderHomePage } from './home-page.ts'
import { makeCertificate } from './inbox/certificate.ts'
import { type Inbox, startInbox } from './inbox/inbox.ts'
import { composeMessage } from './inbox/message.ts'
import { type Keys, readKeys } from './keys.ts'
import { migrate } from './migrations.ts'
import { chooseModel } from './model-choice.ts'
import { openPortMemory, type PortMemory } from './port-memory.ts'
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import type { Settings } from './settings.ts'
import { removeStackFile, type StackFile, writeStackFile } from './stack-file.ts'
import { createAuthFunctions, createRoles } from './system-schema.ts'

/** A running local stack. */
export interface Stack {
  url: string
  /** Which model answers, in words. */
  model: string
  /** Ends every process it has started. */
  close(): Promise<void>
}

const project = dirname(dirname(fileURLToPath(import.meta.url)))
/** What functions import from outside their own folder. The data directory, with its keys, is not among it. */
const readableByFunctions = ['shared', 'node_modules', 'local/functions', 'deno.json', 'package.json']

type AtClose = (end: () => void | Promise<void>) => void

/** Starts everything that `npm start` starts. Whatever fails, nothing of it goes on running. */
export async function startStack(settings: Settings): Promise<Stack> {
  const ends: (() => void | Promise<void>)[] = []
  const close = async () => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
  }
  try {
    return { ...(await startParts(settings, (end) => ends.push(end))), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startParts(settings: Settings, atClose: AtClose): Promise<{ url: string; model: string }> {
  const directory = openDataDirectory(settings.dataDirectory)
  atClose(directory.release)
  const gateway = await startGateway(settings.port)
  atClose(gateway.close)
  const { url } = gateway
  const keys = readKeys(directory.path)
  const ports = openPortMemory(directory.path)
  let publish = () => {}

  // PostgreSQL starts in a process of its own; meanwhile the code of the other parts is read.
  const starting = [
    startDatabase(settings, { keys, ports, onChange: () => publish(), atClose }),
    openInbox(directory.path, { keys, ports, atClose }),
    chooseModel(settings.environment, url),
    importDataApi(),
    import('./demo-model.ts'),
  ] as const
  await Promise.allSettled(starting)
  const [database, { inbox, authorityFile }, model, { createDataApi }, { answerAsDemoModel }] =
    await Promise.all(starting)

  const dataApi = createDataApi({
    databaseUrl: database.url,
    keys,
    url,
    sendMail: async (mail) => inbox.add(composeMessage(mail)),
  })
  atClose(dataApi.close)
  await prepareDatabase(settings, { dataApi, url: database.url, keys, inbox })

  const functions = createFunctionHost({
    directory: settings.functionsDirectory,
    readable: readableByFunctions.map((name) => join(project, name)),
    environment: makeFunctionEnvironment({
      environment: settings.environment,
      model: model.settings,
      url,
      databaseUrl: database.url,
      keys,
      authorityFile,
      denoDirectory: join(directory.path, 'deno'),
    }),
    onChange: () => publish(),
  })
  atClose(functions.close)

  const { host, port, user, password } = inbox
  const describe = (): StackFile => {
    const postgres = database.pid()
    return {
      url,
      publishableKey: keys.publishableKey,
      secretKey: keys.secretKey,
      databaseUrl: database.url,
      demoUser: { email: demoEmail, password: keys.demoPassword },
      smtp: { host, port, user, password },
      pids: { stack: process.pid, ...(postgres === undefined ? {} : { postgres }), ...functions.pids() },
    }
  }
  publish = () => writeStackFile(directory.path, describe())
  atClose(() => {
    publish = () => {}
    removeStackFile(directory.path)
  })
  const homePage = () =>
    renderHomePage({
      stack: describe(),
      model: model.description,
      functions: functions.names(),
      mailCount: inbox.messages().length,
    })
  gateway.open({ dataApi, functions, inbox, demoModel: answerAsDemoModel, homePage })
  publish()
  return { url, model: model.description }
}

async function startDatabase(
  settings: Settings,
  parts: { keys: Keys; ports: PortMemory; onChange: () => void; atClose: AtClose },
): Promise<Database> {
  const { keys, ports, onChange, atClose } = parts
  const { databaseUrl, dataDirectory } = settings
  const database =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDirectory, password: keys.databasePassword, ports, onChange })
      : await useDatabaseUrl(databaseUrl)
  atClose(database.close)
  return database
}

async function openInbox(directory: string, parts: { keys: Keys; ports: PortMemory; atClose: AtClose }) {
  const { keys, ports, atClose } = parts
  const certificate = makeCertificate()
  const authorityFile = join(directory, 'inbox-authority.pem')
  writePrivateFile(authorityFile, certificate.authority)
  const inbox = await startInbox({
    port: ports.recall('inbox'),
    user: 'inbox@askback.test',
    password: keys.inboxPassword,
    certificate,
  })
  atClose(inbox.close)
  ports.remember('inbox', inbox.port)
  return { inbox, authorityFile }
}

/** supabase-js, which lite brings along, warns of Node 20 when it is read. We support Node 20. */
async function importDataApi() {
  const { warn } = console
  console.warn = (...words) => String(words[0]).includes('Node.js 20 and below') || warn(...words)
  try {
    return await import('./data-api.ts')
  } finally {
    console.warn = warn
  }
}

async function prepareDatabase(
  settings: Settings,
  parts: { dataApi: DataApi; url: string; keys: Keys; inbox: Inbox },
): Promise<void> {
  const { dataApi, url, keys, inbox } = parts
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await createRoles(sql)
    await dataApi.createAuthSchema()
    await createAuthFunctions(sql)
    await migrate(sql, settings.supabaseDirectory)
    await Promise.all([prepareDemoUser({ dataApi, sql, keys, inbox }), dataApi.readSchema()])
  } finally {
    await sql.end()
  }
}
