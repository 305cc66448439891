-- Everything of Askback lives in the schema `askback`. Nothing is granted by default: each table and each
-- function says who may use it, in the file that makes it.
create schema askback;

grant usage on schema askback to authenticated, service_role;

create function askback.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

revoke execute on function askback.touch_updated_at() from public;
