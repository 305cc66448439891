import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { checkOtherApps } from '../../../cli/doctor/database/other-apps.ts'
import { openDatabase } from '../../../cli/doctor/open-database.ts'
import { checkIssuer } from '../../../cli/doctor/services/issuer.ts'
import { checkSigningKeys } from '../../../cli/doctor/services/signing-keys.ts'
import { authenticateUser } from '../../../shared/server/authentication/authenticate.ts'
import { readProjectSettings } from '../../../shared/server/authentication/project-settings.ts'
import { errorResponse } from '../../../shared/server/http/error-response.ts'
import { otherApp } from '../../../support/other-app.ts'
import { useDatabase } from '../../../support/use-database.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A project whose sign-in has such keys and such an issuer, and whose function has these settings. */
async function project(
  auth: { keys?: object[]; issuer?: string },
  env: Record<string, string> = {},
): Promise<string> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/auth/v1/.well-known/jwks.json') return answer(200, { keys: auth.keys ?? [] })
    if (request.url === '/auth/v1/.well-known/openid-configuration') {
      return auth.issuer === undefined ? answer(404, {}) : answer(200, { issuer: auth.issuer })
    }
    const { verify } = readProjectSettings({ SUPABASE_URL: url, SUPABASE_SERVICE_ROLE_KEY: 'key', ...env })
    const headers = new Headers(request.headers as Record<string, string>)
    const refusal = await authenticateUser(new Request(url, { headers }), verify).catch((error) => error)
    const { status, body } = errorResponse(refusal, 'json')
    answer(status, await new Response(body).json())
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return url
}

const services = (url: string, secrets?: string[]) => ({
  url,
  publishableKey: undefined,
  kind: 'linked' as const,
  secrets,
  chat: 'assistant',
})

describe('the issuer of tokens', () => {
  it('is in order if it is the address of the project', async () => {
    const auth = { issuer: '' }
    const url = await project(auth)
    auth.issuer = `${url}/auth/v1`
    expect(await checkIssuer(services(url))).toEqual({
      level: 'ok',
      text: `The functions accept tokens of ${url}/auth/v1`,
    })
  })

  it('is reported if the functions refuse it, and is in order once the remedy is applied', async () => {
    const issuer = 'https://api.example.com/auth/v1'
    expect(await checkIssuer(services(await project({ issuer })))).toEqual({
      level: 'fail',
      text: `Users cannot sign in: their tokens are issued by ${issuer}, which the functions refuse. Accept them: supabase secrets set ASKBACK_TOKEN_ISSUERS=${issuer}`,
    })
    const named = await project({ issuer }, { ASKBACK_TOKEN_ISSUERS: issuer })
    expect(await checkIssuer(services(named))).toMatchObject({ level: 'ok' })
  })

  it('is not mentioned where the sign-in does not name it', async () => {
    expect(await checkIssuer(services(await project({})))).toEqual([])
    expect(await checkIssuer({ ...services('http://127.0.0.1:1'), chat: undefined })).toEqual([])
  })
})

describe('ASKBACK_JWT_SECRET', () => {
  it('beside asymmetric keys is left over', async () => {
    const url = await project({ keys: [{ kty: 'EC' }] })
    expect(await checkSigningKeys(services(url, ['ASKBACK_JWT_SECRET']))).toMatchObject({
      level: 'note',
      text: expect.stringMatching(
        /^ASKBACK_JWT_SECRET is left over: .+: supabase secrets unset ASKBACK_JWT_SECRET$/,
      ),
    })
    expect(await checkSigningKeys(services(url, []))).toMatchObject({ level: 'ok' })
  })

  it('is in order where tokens are signed with it, and asked for where it is missing', async () => {
    const url = await project({})
    expect(await checkSigningKeys(services(url, ['ASKBACK_JWT_SECRET']))).toMatchObject({ level: 'ok' })
    expect(await checkSigningKeys(services(url, []))).toMatchObject({ level: 'fail' })
  })
})

describe('tables that other apps can reach', () => {
  const { database } = useDatabase()
  const opened: { close(): Promise<void> }[] = []
  afterAll(() => Promise.all(opened.map((one) => one.close())))
  const check = async () => {
    const { query, close } = await openDatabase(database.url)
    opened.push({ close })
    return await checkOtherApps({ query, kind: 'linked', code: 1, chat: 'chat' })
  }
  const asks = `(select auth.jwt() ->> 'client_id') is null`

  it('are named once there is another app, each until a policy asks for client_id', async () => {
    await database.sql.unsafe(`
      create table public.open (id int);
      create table public.owned (user_id uuid, client_id uuid);
      create table public.asks (user_id uuid);
      create table public.restricted (user_id uuid);
      create table public.half (user_id uuid);
      create table public.unreadable (id int);
      create view public.seen as select * from public.asks;
      create view public.invoked with (security_invoker = true) as select * from public.owned;
      alter table public.owned enable row level security;
      alter table public.asks enable row level security;
      alter table public.restricted enable row level security;
      alter table public.half enable row level security;
      create policy p on public.owned using (user_id = auth.uid() and client_id is null);
      create policy p on public.asks to authenticated using (user_id = auth.uid() and ${asks});
      create policy p on public.restricted using (user_id = auth.uid());
      create policy r on public.restricted as restrictive using (${asks});
      create policy p on public.half using (user_id = auth.uid());
      create policy r on public.half as restrictive for select using (${asks});
      grant all on all tables in schema public to authenticated;
      revoke all on public.unreadable from authenticated`)
    expect(await check()).toEqual([])
    await database.sql.unsafe('create table auth.oauth_clients (id uuid primary key, deleted_at timestamptz)')
    expect(await check()).toEqual([])
    await database.sql`insert into auth.oauth_clients values (${otherApp})`
    expect(await check()).toEqual([
      {
        level: 'note',
        text: expect.stringMatching(
          /^One other app can get tokens of your users, which reach: half, open, owned, seen\. Close each to them, like: create policy "other apps get nothing" on half as restrictive using /,
        ),
      },
    ])
    await database.sql.unsafe(`
      create policy "other apps get nothing" on public.owned as restrictive using (${asks});
      create policy "other apps get nothing" on public.half as restrictive using (${asks});
      drop view public.seen;
      drop table public.open`)
    expect(await check()).toEqual([])
  })
})
