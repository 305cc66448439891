import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres, { type Sql } from 'postgres'
import { readAppUrls } from '../../shared/server/links/app-urls.ts'
import type { DataApi } from '../data-api/data-api.ts'
import type { AuthMail } from '../data-api/supabase-lite.ts'
import { openDataDirectory, writePrivateFile } from '../data-directory/data-directory.ts'
import { type Keys, readKeys } from '../data-directory/keys.ts'
import { openPortMemory, type PortMemory } from '../data-directory/port-memory.ts'
import { openStackFile, type StackFile } from '../data-directory/stack-file.ts'
import { prepareBell } from '../database/bell-key.ts'
import { refuseOtherVersion } from '../database/data-version.ts'
import { type Database, useDatabaseUrl } from '../database/database.ts'
import { deleteDatabase } from '../database/delete-database.ts'
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts'
import { addToSearchPath, createRoles, handOver, setExposure } from '../database/hosted-project.ts'
import { migrate, requireAskback } from '../database/migrations.ts'
import { findPostgresBinaries } from '../database/postgres-binaries.ts'
import { demoEmail, prepareDemoUser } from '../demo/demo-user.ts'
import { makeFunctionEnvironment } from '../functions/environment.ts'
import { createFunctionHost } from '../functions/function-host.ts'
import { ownFunctions } from '../functions/function-source.ts'
import { startGateway } from '../gateway/gateway.ts'
import { renderStatusPage } from '../gateway/status-page.ts'
import { connectNewAccounts, reconnectInbox } from '../inbox/connect-inbox.ts'
import { type Inbox, startInbox } from '../inbox/inbox.ts'
import { composeMessage } from '../inbox/message.ts'
import { applyCatalogue, followIntegrations } from '../integrations/follow-integrations.ts'
import { refreshIntegrations } from '../integrations/refresh.ts'
import { openOAuthServer } from '../oauth/open-oauth-server.ts'
import { StartError } from '../process/start-error.ts'
import { followOwnIntegrations } from '../project/follow-own-integrations.ts'
import { followSettings } from '../project/follow-settings.ts'
import { readFunctionNames } from '../project/function-names.ts'
import { copyBootstrap, keysOf, projectFunctions } from '../project/project-functions.ts'
import { findSeeds } from '../project/seeds.ts'
import { describeHalfSetGoogle } from '../settings/google-client.ts'
import { chooseModel } from '../settings/model-choice.ts'
import type { Settings } from '../settings/settings.ts'
import { readSimulated, type Simulated, simulatedInDemo } from '../simulator/simulated.ts'
import type { Simulator } from '../simulator/start-simulator.ts'
import { openWebApp } from '../web-app/build.ts'
import { createWebAppRoutes } from '../web-app/routes.ts'
import { startClock } from './clock.ts'
import { followSource } from './follow-source.ts'

/** A local stack that is starting or running. */
export interface Stack {
  /** Resolves when everything can be used; rejects with a StartError when something cannot. */
  ready: Promise<{
    url: string
    publishableKey: string
    /** Which model answers, in words. */
    model: string
    /** For MCP clients. */
    mcpUrl?: string
  }>
  /** Ends every process that it has started; can be called at any time. */
  close(): Promise<void>
}

const repository = fileURLToPath(new URL('../..', import.meta.url))
const ofRepository = (name: string) => join(repository, name)
/** What functions may import from outside their folder. The data directory, with its keys, is not readable to them. */
const readableByFunctions = ['shared', 'node_modules']

/** Starts everything that `npm start` starts. */
export function startStack(settings: Settings): Stack {
  const stop = new AbortController()
  const ends: (() => unknown)[] = []
  const own: Own = (starting) => {
    const part = Promise.resolve(starting)
    ends.push(() => part.then(({ close }) => close()).catch(() => {}))
    return part
  }
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(new StartError('Stopped.')), { once: true })
  })
  return {
    ready: Promise.race([startParts(settings, own, stop.signal), stopped]),
    async close() {
      stop.abort()
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
    },
  }
}

/**
 * Registers a part as soon as it begins to start, so that it is closed with the stack; the last part is closed first.
 */
type Own = <Part extends { close(): unknown }>(starting: Part | Promise<Part>) => Promise<Part>

async function startParts(settings: Settings, own: Own, signal: AbortSignal): Stack['ready'] {
  const { functionsDirectory, supabaseDirectory, project } = settings
  // Tests of the stack itself have other functions; a project's own integrations are followed beside Askback's catalogue.
  const hasIntegrations = !project && functionsDirectory === join(supabaseDirectory, 'functions')
  if (hasIntegrations) await refreshIntegrations(supabaseDirectory)
  const askedToSimulate = readSimulated(settings.environment)
  const halfSet = describeHalfSetGoogle(settings.environment)
  if (halfSet) console.warn(halfSet)
  const binaries = settings.databaseUrl === undefined ? findBinaries(settings) : undefined
  const directory = await own(openDataDirectory(settings.dataDirectory))
  const gateway = await own(startGateway(settings.port))
  const { url } = gateway
  if (project?.resets) await deleteDatabase(directory.path)
  const keys = { ...readKeys(directory.path), ...(project ? keysOf(settings.environment) : {}) }
  const ports = openPortMemory(directory.path)
  let publish = () => {}
  const onChange = () => publish()

  // PostgreSQL starts in its own process; meanwhile the code of the other parts is loaded.
  const [database, { inbox, authorityFile }, model, { createDataApi }, { answerAsDemoModel }] =
    await Promise.all([
      own(startDatabase(settings, binaries, { keys, ports, signal, onChange })),
      own(openInbox(directory.path, { keys, ports })),
      chooseModel(settings.environment, url),
      importDataApi(),
      import('../demo/model.ts'),
    ])
  const sendMail = async (mail: AuthMail) => inbox.add(composeMessage(mail))
  const dataApi = await own(
    createDataApi({
      databaseUrl: database.adminUrl,
      keys,
      url,
      confirmsEmail: settings.confirmsEmail,
      sendMail,
      schemas: project?.config.api.schemas,
    }),
  )
  await prepareDatabase(settings, { dataApi, database, keys, inbox })

  // A newcomer has no accounts, so theirs are simulated; a team's project has its own.
  const isDemo = !project && model.settings.ASKBACK_DEMO_MODEL === 'true'
  const simulated = askedToSimulate ?? (isDemo ? simulatedInDemo(settings.environment) : [])
  const simulator = simulated.length > 0 ? await own(openSimulator(simulated, ports)) : undefined
  const environment = makeFunctionEnvironment({
    environment: {
      // Packages come from npm, perhaps through a company's proxy.
      ...(project ? { DENO_TLS_CA_STORE: 'mozilla,system' } : {}),
      ...settings.environment,
      ...simulator?.environment,
      ASKBACK_SIMULATE: simulated.join(),
    },
    model: model.settings,
    url,
    databaseUrl: database.url,
    keys,
    authorityFile,
    // A project's functions share what Deno has downloaded for others.
    denoDirectory: project ? undefined : join(directory.path, 'deno'),
  })
  const functions = await own(
    createFunctionHost({
      directory: functionsDirectory,
      environment,
      jwtSecret: keys.jwtSecret,
      onChange,
      ...(project
        ? {
            sources: projectFunctions(project, directory.path),
            bootstrap: copyBootstrap(directory.path),
          }
        : { sources: ownFunctions(functionsDirectory, readableByFunctions.map(ofRepository)) }),
    }),
  )
  await own(
    followSource({
      functions,
      functionsDirectory,
      sharedDirectory: join(project?.directory ?? repository, 'shared'),
      integrations: project
        ? await followOwnIntegrations(functionsDirectory, database.url)
        : hasIntegrations
          ? followIntegrations(supabaseDirectory, database.url)
          : undefined,
    }),
  )
  if (project) await own(followSettings(supabaseDirectory, console.log))
  const { host, port, user, password } = inbox
  const describe = (): StackFile => ({
    url,
    publishableKey: keys.publishableKey,
    secretKey: keys.secretKey,
    databaseUrl: database.url,
    demoUser: { email: demoEmail, password: keys.demoPassword },
    smtp: { host, port, user, password },
    pids: { stack: process.pid, ...database.pids(), ...functions.pids() },
  })
  const file = await own(openStackFile(directory.path))
  publish = () => file.write(describe())
  // Last, because building takes a few seconds whenever the sources have changed.
  const webApp = project ? { directory: Promise.resolve(project.webApp) } : await own(openWebApp(repository))
  const names = project ? readFunctionNames(project.directory) : {}
  const withSql = <Result>(work: (sql: Sql) => Promise<Result>) => withConnection(database.url, work)
  gateway.open({
    // So that a newcomer's own account works like the demo user's.
    oauthServer: openOAuthServer({
      supabaseDirectory,
      directory: directory.path,
      url,
      appUrl: readAppUrls(environment).base ?? url,
      keys,
      dataApi,
      withSql,
    }),
    dataApi: isDemo ? connectNewAccounts(dataApi, { withSql, keys, inbox }) : dataApi,
    functions,
    inbox,
    demoModel: answerAsDemoModel,
    webApp: createWebAppRoutes(webApp.directory, {
      publishableKey: keys.publishableKey,
      functions: names,
      local: { ...describe().demoUser, model: model.description, simulated },
    }),
    statusPage: () =>
      renderStatusPage({
        stack: describe(),
        model: model.description,
        functions: functions.names(),
        mailCount: inbox.messages().length,
      }),
  })
  publish()
  await own(startClock({ dataApi, keys, url, chat: names.chat ?? 'chat', seconds: settings.clockSeconds }))
  return {
    url,
    publishableKey: keys.publishableKey,
    model: model.description,
    ...(functions.names().includes('mcp') ? { mcpUrl: `${url}/functions/v1/mcp` } : {}),
  }
}

/** Before anything is written. */
function findBinaries({ postgresDirectory, dataDirectory, project }: Settings): string {
  const binaries = postgresDirectory ?? findPostgresBinaries()
  if (!project?.resets) refuseOtherVersion(dataDirectory, binaries)
  return binaries
}

function startDatabase(
  { databaseUrl = '', dataDirectory }: Settings,
  binaries: string | undefined,
  parts: { keys: Keys; ports: PortMemory; signal: AbortSignal; onChange(): void },
): Promise<Database> {
  if (binaries === undefined) return useDatabaseUrl(databaseUrl)
  const { keys, ...others } = parts
  return startEmbeddedPostgres({ binaries, dataDirectory, password: keys.databasePassword, ...others })
}

async function openInbox(directory: string, { keys, ports }: { keys: Keys; ports: PortMemory }) {
  const { makeCertificate } = await import('../inbox/certificate.ts')
  const certificate = await makeCertificate()
  const authorityFile = join(directory, 'inbox-authority.pem')
  writePrivateFile(authorityFile, certificate.authority)
  const inbox = await startInbox({
    port: ports.recall('inbox'),
    user: 'inbox@askback.test',
    password: keys.inboxPassword,
    certificate,
  })
  ports.remember('inbox', inbox.port)
  return { inbox, authorityFile, close: inbox.close }
}

async function openSimulator(simulated: readonly Simulated[], ports: PortMemory): Promise<Simulator> {
  const { startSimulator } = await import('../simulator/start-simulator.ts')
  const simulator = await startSimulator(simulated, ports.recall('simulator'))
  ports.remember('simulator', Number(new URL(simulator.url).port))
  console.log(
    `simulated: ${simulated.join(', ')} at ${simulator.url} (no real account, nothing leaves this machine)`,
  )
  return simulator
}

/** supabase-js, a dependency of lite, warns about Node 20 when it is loaded. We support Node 20. */
async function importDataApi() {
  const { warn } = console
  console.warn = (...words) => String(words[0]).includes('Node.js 20 and below') || warn(...words)
  try {
    return await import('../data-api/data-api.ts')
  } finally {
    console.warn = warn
  }
}

async function prepareDatabase(
  settings: Settings,
  parts: { dataApi: DataApi; database: Database; keys: Keys; inbox: Inbox },
): Promise<void> {
  const { dataApi, database, keys, inbox } = parts
  const { supabaseDirectory, project } = settings
  await withConnection(database.adminUrl, async (sql) => {
    // A role of somebody's own server keeps its password.
    await createRoles(sql, settings.databaseUrl === undefined ? keys.databasePassword : undefined)
    await dataApi.createAuthSchema()
    await handOver(sql)
  })
  await withConnection(database.url, async (sql) => {
    await setExposure(sql, project?.config.api.auto_expose_new_tables ?? false)
    await migrate(sql, supabaseDirectory, project && findSeeds(supabaseDirectory, project.config))
    if (project) await requireAskback(sql)
    await applyCatalogue(sql, supabaseDirectory)
    await addToSearchPath(sql)
    await prepareBell(sql, keys.credentialsKeys)
    await Promise.all([prepareAccounts({ dataApi, sql, keys, inbox }), dataApi.readSchema()])
  })
}

async function prepareAccounts(parts: Parameters<typeof prepareDemoUser>[0]): Promise<void> {
  await prepareDemoUser(parts)
  await reconnectInbox(parts)
}

async function withConnection<Result>(url: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}
