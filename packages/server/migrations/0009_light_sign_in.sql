-- What a sign-in writes. The time of the last one apart from the person's row: to change a column that is ordered by, in a row
-- with ten indexes, writes all of them anew.
create table acesso_usuario (
  id_usuario integer primary key references usuario on delete cascade,
  ultimo_acesso timestamptz
);
insert into acesso_usuario select id_usuario, ultimo_acesso from usuario;
create index acesso_usuario_ordem on acesso_usuario (ultimo_acesso nulls first, id_usuario);
drop index usuario_por_acesso;
alter table usuario drop column ultimo_acesso;

-- A row each, from the first moment: lists in this order are read from the index, and nobody is missing from them.
create function acesso_de_pessoa_nova() returns trigger language plpgsql as $$
begin
  insert into acesso_usuario (id_usuario) select id_usuario from novas;
  return null;
end $$;
create trigger usuario_ganha_acesso after insert on usuario
  referencing new table as novas for each statement execute function acesso_de_pessoa_nova();

-- Whether a second factor is active, in the person's row: who waits for that row sees it as it then is, in the same statement.
alter table usuario add column tem_segundo_fator boolean not null default false;
update usuario set tem_segundo_fator = true
  where id_usuario in (select id_usuario from segundo_fator where ativo_em is not null);
create function diz_segundo_fator() returns trigger language plpgsql as $$
declare
  pessoa integer := case when tg_op = 'DELETE' then old.id_usuario else new.id_usuario end;
  ativo boolean := tg_op <> 'DELETE' and new.ativo_em is not null;
begin
  update usuario set tem_segundo_fator = ativo where id_usuario = pessoa and tem_segundo_fator <> ativo;
  return null;
end $$;
create trigger segundo_fator_dito after insert or update of ativo_em or delete on segundo_fator
  for each row execute function diz_segundo_fator();

-- Books attempts and counts them in one call. Each statement in here sees what was committed before it began: ids grow, and a
-- key is written by one at a time (in one order of keys, so that nobody waits in a circle), so that of attempts at the same
-- time each counts those before it, which are all there, and none after it.
create function reserva_tentativas(chaves text[], agora timestamptz, desde timestamptz, adiada boolean)
returns table (id bigint, de text, total bigint, primeira timestamptz) language plpgsql as $$
declare
  ids bigint[];
  nomes text[];
begin
  -- The disk is not waited for.
  if adiada then perform set_config('synchronous_commit', 'off', true); end if;
  perform pg_advisory_xact_lock(numero) from (
    select distinct hashtextextended(chave, 0) as numero from unnest(chaves) as k(chave) order by numero
  ) as numeros;
  with nova as (
    insert into falha_login (chave, em) select k.chave, agora from unnest(chaves) as k(chave) returning id_falha, chave
  )
  select array_agg(nova.id_falha), array_agg(nova.chave) into ids, nomes from nova;
  return query
    select n.id_falha, n.chave, count(*), min(f.em)
    from unnest(ids, nomes) as n(id_falha, chave)
    join falha_login f on f.chave = n.chave and f.em > desde and f.id_falha <= n.id_falha
    group by n.id_falha, n.chave;
end $$;
