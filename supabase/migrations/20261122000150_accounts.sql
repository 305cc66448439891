-- Who may act. A token stays valid when its account is banned or deleted, and a run continues without its user. So
-- whatever begins something, or reads a user's data, asks here.

-- What the settings of the functions say about everybody's account, since the database cannot see them: one row.
create table askback.rules (
  only_row boolean primary key default true check (only_row),
  -- ASKBACK_ANONYMOUS: whether anonymous users may act.
  anonymous boolean not null default true,
  -- ASKBACK_REQUIRE_AAL2: whether deciding, granting, connecting, making tokens and deleting takes a second factor.
  require_aal2 boolean not null default false
);

insert into askback.rules default values;

-- No policy and no grant to clients.
alter table askback.rules enable row level security;

grant select, update on askback.rules to service_role;

-- Stores the settings of the function that calls, which does so before it calls any other one.
--
-- in   p_rules: { anonymous, requireAal2 }
create function askback.keep_rules(p_rules json) returns void
language plpgsql set search_path = '' as $$
begin
  update askback.rules set
    anonymous = (p_rules ->> 'anonymous')::boolean,
    require_aal2 = (p_rules ->> 'requireAal2')::boolean
  where (anonymous, require_aal2)
    is distinct from ((p_rules ->> 'anonymous')::boolean, (p_rules ->> 'requireAal2')::boolean);
end
$$;

-- Why an account may not act; null if it may. Read as JSON, because the columns differ between versions of Supabase
-- Auth, which may keep the row of a deleted user.
--
-- out  unknown_user | account_disabled: banned | anonymous_refused | null
create function askback.account_refusal(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select case
      when facts is null or facts ->> 'deleted_at' is not null then 'unknown_user'
      when (facts ->> 'banned_until')::timestamptz > clock_timestamp() then 'account_disabled'
      when (facts ->> 'is_anonymous')::boolean and not (select anonymous from askback.rules) then 'anonymous_refused'
    end
    from (select (select to_jsonb(users) from auth.users where id = p_user_id) as facts) one
  );
end
$$;

-- Fails unless an account may act, with an SQLSTATE for each reason, which the functions turn into a refusal.
create function askback_private.require_account(p_user_id uuid) returns void
language plpgsql stable set search_path = '' as $$
declare
  v_refusal text := askback.account_refusal(p_user_id);
begin
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = case v_refusal
      when 'unknown_user' then 'ASK01' when 'account_disabled' then 'ASK02' else 'ASK03'
    end;
  end if;
end
$$;

-- Holds an account until the end of the transaction, so that whoever deletes it waits. Taken before the lock on a
-- conversation's row, by all that may add rows then: a deletion begins with the user's row, and ends with the rest. Runs
-- with its owner's rights, since service_role may not lock rows of auth.users.
create function askback_private.hold_account(p_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.users where id = p_user_id for key share;
end
$$;

-- Fails where a second factor is required: for a decision whose request has none.
create function askback_private.refuse_without_factor() returns void
language plpgsql stable set search_path = '' as $$
begin
  if (select require_aal2 from askback.rules) then
    raise exception 'second_factor_required' using errcode = 'ASK04';
  end if;
end
$$;

-- Whether the user of a request over the Data API may use it; null for another app's token. Every table has a policy
-- that asks this.
create function askback_private.may_use_data() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select askback.account_refusal(auth.uid()) is null
    where (select auth.jwt() ->> 'client_id') is null
  );
end
$$;

-- Whether this user may also change something there. Every table that users write to has policies that ask this.
create function askback_private.may_change_data() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select not require_aal2 or coalesce(auth.jwt() ->> 'aal' = 'aal2', false) from askback.rules
    where (select auth.jwt() ->> 'client_id') is null
  );
end
$$;

-- The time zone and the language that a user's clients have named last, for runs and answers that no client says it of.
-- Names that the functions know.
create table askback.readers (
  user_id uuid primary key references auth.users (id) on delete cascade,
  time_zone text check (length(time_zone) <= 64),
  language text check (length(language) <= 64)
);

-- No policy and no grant to clients.
alter table askback.readers enable row level security;

grant select, insert, update on askback.readers to service_role;

-- Stores what a request names; what it does not name stays.
--
-- in   p_request: { timezone?, language? }
create function askback_private.note_reader(p_user_id uuid, p_request json) returns void
language plpgsql set search_path = '' as $$
declare
  v_time_zone text := p_request ->> 'timezone';
  v_language text := p_request ->> 'language';
begin
  insert into askback.readers as r (user_id, time_zone, language)
  -- An update that changes nothing would still lock the row.
  select p_user_id, v_time_zone, v_language
  where coalesce(v_time_zone, v_language) is not null and not exists (
    select from askback.readers known
    where known.user_id = p_user_id
      and known.time_zone is not distinct from coalesce(v_time_zone, known.time_zone)
      and known.language is not distinct from coalesce(v_language, known.language)
  )
  on conflict (user_id) do update set
    time_zone = coalesce(excluded.time_zone, r.time_zone),
    language = coalesce(excluded.language, r.language);
end
$$;

-- Who reads what no client says it of.
--
-- out  { timezone, language }
create function askback.reader_of(p_user_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  return (
    select json_build_object('timezone', r.time_zone, 'language', r.language)
    from (select p_user_id as id) one
    left join askback.readers r on r.user_id = one.id
  );
end
$$;

-- Who the user is, for the model and for provenance. Runs with its owner's rights, since service_role may not read
-- auth.users, and reads the row as JSON, because the columns differ between versions.
--
-- out  { name, email, isConfirmed: of the address, accounts: [text], timezone, language }; null: there is no such user
create function askback.user_facts(p_user_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select json_build_object(
      'name', coalesce(u.facts #>> '{raw_user_meta_data,full_name}', u.facts #>> '{raw_user_meta_data,name}'),
      'email', nullif(u.facts ->> 'email', ''),
      'isConfirmed', u.facts ->> 'email_confirmed_at' is not null,
      'accounts', coalesce(
        (
          select json_agg(distinct c.account)
          from askback.connections c
          where c.user_id = p_user_id and c.account is not null and c.status = 'connected'
        ),
        '[]'
      ),
      'timezone', (select r.time_zone from askback.readers r where r.user_id = p_user_id),
      'language', (select r.language from askback.readers r where r.user_id = p_user_id)
    )
    from (select to_jsonb(users) as facts from auth.users where id = p_user_id) u
  );
end
$$;
