-- Usage (record 0054): sums of views per day and per month, which triggers and events maintain.

-- Upper limits, in ms, of the ranges of the time to rendered; the last range has none.
create function limites_tempo() returns integer[] language sql immutable parallel safe
  as $$ select array[250, 500, 750, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 7000, 10000, 15000, 30000, 60000] $$;

create table uso_relatorio (
  -- `inicio` is the day, or the first day of the month; both in America/Sao_Paulo.
  mensal boolean not null,
  inicio date not null,
  -- Neither reports nor people are referenced: what happened stays until the retention ends.
  id_relatorio integer not null,
  visualizacoes integer not null default 0,
  paginas integer not null default 0,
  erros integer not null default 0,
  -- Views by range of their time to rendered.
  t0 integer not null default 0, t1 integer not null default 0, t2 integer not null default 0,
  t3 integer not null default 0, t4 integer not null default 0, t5 integer not null default 0,
  t6 integer not null default 0, t7 integer not null default 0, t8 integer not null default 0,
  t9 integer not null default 0, t10 integer not null default 0, t11 integer not null default 0,
  t12 integer not null default 0, t13 integer not null default 0, t14 integer not null default 0,
  t15 integer not null default 0,
  primary key (mensal, inicio, id_relatorio)
);
create table uso_pessoa (like uso_relatorio including defaults);
alter table uso_pessoa rename column id_relatorio to id_usuario;
alter table uso_pessoa add primary key (mensal, inicio, id_usuario);
-- Counts the readers of each day without reading the sums.
create index uso_pessoa_leitores on uso_pessoa (mensal, inicio) where visualizacoes > 0;

-- The last day on which each person viewed each report: distinct readers of a period up to today.
create table uso_leitor (
  id_relatorio integer not null,
  id_usuario integer not null,
  ultimo date not null,
  primary key (id_relatorio, id_usuario)
);

-- Pages, filters, exports and errors of reports, without the person.
create table uso_evento (
  mensal boolean not null,
  inicio date not null,
  tipo text not null check (tipo in ('pagina', 'filtro', 'exportacao', 'erro')),
  id_relatorio integer not null,
  -- The page, the table and column, the format or the code; never a value.
  nome text not null,
  total integer not null,
  primary key (mensal, inicio, tipo, id_relatorio, nome)
);

-- Percentile of times, linear within its range; null without views.
create function percentil_tempo(contagens bigint[], fracao double precision) returns integer
  language plpgsql immutable parallel safe as $$
declare
  limites constant integer[] := limites_tempo();
  alvo double precision := 0;
  antes bigint := 0;
  baixo integer;
begin
  for faixa in 1 .. 16 loop alvo := alvo + fracao * contagens[faixa]; end loop;
  for faixa in 1 .. 16 loop
    if contagens[faixa] > 0 and antes + contagens[faixa] >= alvo then
      baixo := case faixa when 1 then 0 else limites[faixa - 1] end;
      return round(baixo + (coalesce(limites[faixa], baixo) - baixo) * (alvo - antes) / contagens[faixa]);
    end if;
    antes := antes + contagens[faixa];
  end loop;
  return null;
end $$;

-- The statement that adds the views of `origem`, a table or a query with a name, to the sums of a
-- table. Its order prevents deadlocks.
create function sql_soma_uso(tabela text, chave text, origem text) returns text language sql immutable as $$
  select format(
    'insert into %1$I (mensal, inicio, %2$I, visualizacoes, %4$s)
     select mensal, date_trunc(case when mensal then ''month'' else ''day'' end, dia)::date, %2$I, count(*), %5$s
     from (
       select %2$I, (quando at time zone ''America/Sao_Paulo'')::date::timestamp as dia,
         width_bucket(renderizado_ms, limites_tempo()) as faixa
       from %3$s
     ) vistas cross join (values (false), (true)) periodos (mensal)
     group by 1, 2, 3 order by 1, 2, 3
     on conflict (mensal, inicio, %2$I) do update
     set visualizacoes = %1$I.visualizacoes + excluded.visualizacoes, %6$s',
    tabela, chave, origem,
    string_agg(format('t%s', n), ', ' order by n),
    string_agg(format('count(*) filter (where faixa = %s)', n), ', ' order by n),
    string_agg(format('t%1$s = %2$I.t%1$s + excluded.t%1$s', n, tabela), ', ' order by n))
  from generate_series(0, 15) n
$$;

create function sql_leitores_uso(origem text) returns text language sql immutable as $$
  select format(
    'insert into uso_leitor (id_relatorio, id_usuario, ultimo)
     select id_relatorio, id_usuario, max((quando at time zone ''America/Sao_Paulo'')::date)
     from %s group by 1, 2 order by 1, 2
     on conflict (id_relatorio, id_usuario) do update set ultimo = excluded.ultimo
     where uso_leitor.ultimo < excluded.ultimo', origem)
$$;

-- Adds new views. Its statements are written out once here: each view runs it.
do $$ begin
  execute format('create function somar_visualizacoes() returns trigger language plpgsql as %L',
    format('begin %s; %s; %s; return null; end',
      sql_soma_uso('uso_relatorio', 'id_relatorio', 'novas'),
      sql_soma_uso('uso_pessoa', 'id_usuario', 'novas'),
      sql_leitores_uso('novas')));
end $$;

-- The views with ids up to this one are not summed yet: those from before the upgrade.
create table uso_por_somar (ate bigint primary key);

-- Adds so many of those views, the newest first; false when none are left, or another process adds.
create function somar_visualizacoes_antigas(quantas integer) returns boolean language plpgsql as $$
declare
  ultima bigint;
  primeira bigint;
  antigas text;
begin
  select ate into ultima from uso_por_somar for update skip locked;
  if not found then return false; end if;
  select min(id_visualizacao) into primeira from (
    select id_visualizacao from visualizacao where id_visualizacao <= ultima
    order by id_visualizacao desc limit quantas
  ) vistas;
  if primeira is null then
    delete from uso_por_somar;
    return false;
  end if;
  antigas := format('(select * from visualizacao where id_visualizacao between %s and %s) antigas', primeira, ultima);
  execute sql_soma_uso('uso_relatorio', 'id_relatorio', antigas);
  execute sql_soma_uso('uso_pessoa', 'id_usuario', antigas);
  execute sql_leitores_uso(antigas);
  update uso_por_somar set ate = primeira - 1;
  return true;
end $$;

-- Null in the reports that exist.
alter table relatorio add column criado_em timestamptz;
alter table relatorio alter column criado_em set default now();

-- Last, because it holds up new views until the end of the upgrade's transaction. It waits for the
-- views under way, so later ones have higher ids.
create trigger somar_visualizacoes after insert on visualizacao
  referencing new table as novas for each statement execute function somar_visualizacoes();
insert into uso_por_somar
  select id_visualizacao from visualizacao order by id_visualizacao desc limit 1;
