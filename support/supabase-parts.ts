import type { Sql } from 'postgres'

/**
 * What Supabase has and PostgreSQL lacks, as far as the clock uses it: Vault's secrets
 * (https://supabase.com/docs/guides/database/vault), and pg_net's function with its two tables
 * (https://supabase.com/docs/guides/database/extensions/pg_net). Nothing here sends what is queued: `sendQueued` does.
 */
export const vault = `
  create schema vault;
  create table vault.secrets (id uuid primary key default gen_random_uuid(), name text unique, secret text);
  create view vault.decrypted_secrets as
  select id, name, secret, extensions.pgp_sym_decrypt(decode(secret, 'base64'), 'root key') as decrypted_secret
  from vault.secrets;
  create function vault.create_secret(new_secret text, new_name text) returns uuid language sql as $$
    insert into vault.secrets (name, secret)
    values (new_name, encode(extensions.pgp_sym_encrypt(new_secret, 'root key'), 'base64')) returning id
  $$;
  grant usage on schema vault to postgres;
  grant all on all tables in schema vault to postgres;
`

export const pgNet = `
  create schema net;
  create table net.http_request_queue (
    id bigserial, method text, url text, headers jsonb, body bytea, timeout_milliseconds integer
  );
  create table net._http_response (
    id bigint, status_code integer, content_type text, headers jsonb, content text, timed_out boolean, error_msg text,
    created timestamptz not null default now()
  );
  create function net.http_post(
    url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}',
    timeout_milliseconds integer default 5000
  ) returns bigint language sql as $$
    insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
    values ('POST', url, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds) returning id
  $$;
  -- Anybody may read what is queued, as pg_net grants it.
  grant usage on schema net to public;
  grant all on all tables in schema net to public;
  grant all on all sequences in schema net to public;
`

/** Where the chat function is, and what signs for the clock. */
export function clockSecrets(url: string, secret: string): string {
  return `select vault.create_secret('${url}', 'askback_chat_url'); select vault.create_secret('${secret}', 'askback_function_secret');`
}

/** Does what pg_net's worker does: sends what is queued, and keeps the answers. Goes on until the signal. */
export async function sendQueued(sql: Sql, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const queued = await sql`
      delete from net.http_request_queue returning id, method, url, headers, convert_from(body, 'UTF8') as body`
    for (const { id, method, url, headers, body } of queued) {
      const sent = fetch(url, { method, headers, body, signal: AbortSignal.timeout(5000) })
      const answer = await sent.then(
        async (response) => ({
          status_code: response.status,
          content: await response.text(),
          timed_out: false,
        }),
        (error: Error) => ({ timed_out: error.name === 'TimeoutError', error_msg: error.message }),
      )
      await sql`insert into net._http_response ${sql({ id, ...answer })}`
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** pg_cron's tables with the job of the clock, and nothing that runs it: https://github.com/citusdata/pg_cron */
export const pgCron = `
  create schema cron;
  create table cron.job (
    jobid bigint primary key, schedule text, command text, nodename text, nodeport integer, database text,
    username text, active boolean default true, jobname text
  );
  create table cron.job_run_details (
    jobid bigint, runid bigint primary key, job_pid integer, database text, username text, command text, status text,
    return_message text, start_time timestamptz, end_time timestamptz
  );
  insert into cron.job (jobid, schedule, command, username, jobname)
  values (1, '30 seconds', 'select askback.wake_chat()', 'postgres', 'askback-clock');
  grant usage on schema cron to postgres;
  grant all on all tables in schema cron to postgres;
`
