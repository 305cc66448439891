/**
 * What Supabase has and PostgreSQL has not, as far as the clock uses it: Vault's secrets
 * (https://supabase.com/docs/guides/database/vault), and pg_net's function with its two tables
 * (https://supabase.com/docs/guides/database/extensions/pg_net). Nothing here sends what is queued, or encrypts.
 */
export const vault = `
  create schema vault;
  create table vault.secrets (id uuid primary key default gen_random_uuid(), name text unique, secret text);
  create view vault.decrypted_secrets as select id, name, secret, secret as decrypted_secret from vault.secrets;
  create function vault.create_secret(new_secret text, new_name text) returns uuid
  language sql as 'insert into vault.secrets (name, secret) values (new_name, new_secret) returning id';
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
`

/** Where the chat function is, and what signs for the clock. */
export function clockSecrets(url: string, secret: string): string {
  return `select vault.create_secret('${url}', 'askback_chat_url'); select vault.create_secret('${secret}', 'askback_function_secret');`
}
