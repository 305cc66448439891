import type { Sql } from 'postgres'

/** Lets the database sleep before each call of a function for a user, as if its connections were all taken. Returns what ends it. */
export async function slowDown(
  admin: Sql,
  { name, userId, seconds }: { name: 'finish_run' | 'heartbeat_run'; userId: string; seconds: number },
): Promise<() => Promise<void>> {
  const [{ args, names } = {}] = await admin`
    select pg_get_function_arguments(oid) as args, array_to_string(proargnames, ', ') as names
    from pg_proc where oid = ${`askback.${name}`}::regproc`
  await admin.unsafe(`
    alter function askback.${name} rename to ${name}_at_once;
    create function askback.${name}(${args}) returns json language plpgsql as $$
    begin
      if exists (select 1 from askback.runs where id = p_run_id and user_id = '${userId}') then
        perform pg_sleep(${seconds});
      end if;
      return askback.${name}_at_once(${names});
    end
    $$;
    revoke execute on function askback.${name} from public;
    grant execute on function askback.${name} to service_role;`)
  return async () => {
    await admin.unsafe(`
      drop function askback.${name};
      alter function askback.${name}_at_once rename to ${name};`)
  }
}
