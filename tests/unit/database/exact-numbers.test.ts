import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../../support/use-database.ts'

const { database } = useDatabase()

/** A request of the service role to the data API, and the answer as text: parsing it would lose the digits. */
async function ask(path: string, body?: string): Promise<string> {
  const { dataApi, keys } = database
  const response = await dataApi.fetch(
    new Request(`http://127.0.0.1/rest/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        apikey: keys.secretKey,
        authorization: `Bearer ${keys.secretKey}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body }),
    }),
  )
  return await response.text()
}

beforeAll(async () => {
  await database.sql.unsafe(`
    create table public.ids (id bigint primary key, sum numeric, facts jsonb, several bigint[]);
    insert into public.ids values
      (1161380288898609914, 12345678901234567.10, '{"id": 1161380288898609914, "sum": 0.1, "text": "\\"116"}', array[1161380288898609914, 5]),
      (7, 1.50, '[1161380288898609915]', null);
    grant all on public.ids to service_role;
    create function public.all_ids() returns setof public.ids language sql stable as 'select * from public.ids order by id';
    create function public.one_id() returns bigint language sql stable as 'select 1161380288898609914';
    create function public.one_sum() returns numeric language sql stable as 'select 12345678901234567.10';
    create function public.one_json() returns json language sql stable as $$ select '{"id": 1161380288898609914}'::json $$;
    create function public.one_row(out id bigint, out sum numeric) language sql stable as 'select 1161380288898609914, 2.50';
    create function public.echo(id bigint, sum numeric, facts jsonb, several bigint[], words text) returns text language sql stable as
      $$ select concat_ws(' ', id, sum, facts, several::text, words) $$;
    notify pgrst, 'reload schema'`)
})

describe('the local data API', () => {
  it('hands on the digits of tables', async () => {
    const text = await ask('ids?select=*&order=id')
    expect(text.replace(/\s/g, '')).toBe(
      '[{"id":7,"sum":1.50,"facts":[1161380288898609915],"several":null},{"id":1161380288898609914,"sum":12345678901234567.10,' +
        '"facts":{"id":1161380288898609914,"sum":0.1,"text":"\\"116"},"several":[1161380288898609914,5]}]',
    )
  })

  it('hands on the digits of what functions return', async () => {
    expect(await ask('ids?select=id&id=eq.1161380288898609914')).toBe('[{"id":1161380288898609914}]')
    expect(await ask('rpc/all_ids', '{}')).toContain('"id":1161380288898609914')
    expect(await ask('rpc/one_id', '{}')).toBe('1161380288898609914')
    expect(await ask('rpc/one_sum', '{}')).toBe('12345678901234567.10')
    expect((await ask('rpc/one_json', '{}')).replace(/\s/g, '')).toBe('{"id":1161380288898609914}')
    expect(await ask('rpc/one_row', '{}')).toContain('"id":1161380288898609914')
  })

  it('hands on the digits of arguments and rows, as numbers and as text', async () => {
    for (const [id, sum] of [
      ['1161380288898609915', '12345678901234567.10'],
      ['"1161380288898609915"', '"12345678901234567.10"'],
    ]) {
      const args = `{"id": ${id}, "sum": ${sum}, "facts": {"id": 1161380288898609915, "list": [1e400]}, "several": [${id}, 5], "words": "1161380288898609915 said"}`
      const said = JSON.parse(await ask('rpc/echo', args))
      expect(said).toBe(
        `1161380288898609915 12345678901234567.10 {"id": 1161380288898609915, "list": [1${'0'.repeat(400)}]} {1161380288898609915,5} 1161380288898609915 said`,
      )
    }
    await ask(
      'ids',
      '{"id": 1161380288898609920, "sum": 9007199254740993.25, "facts": {"id": 1161380288898609920}}',
    )
    const [row] =
      await database.sql`select id, sum, facts::text as facts from public.ids where id = 1161380288898609920`
    expect(row).toEqual({
      id: '1161380288898609920',
      sum: '9007199254740993.25',
      facts: '{"id": 1161380288898609920}',
    })
  })
})
