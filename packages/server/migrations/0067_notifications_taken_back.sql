-- What people were told of a subject (record 0115): aviso_sistema holds the last occurrence told, by the subject of the
-- notification, without 'sistema:'. No code uses the columns `avisada` and tamanho_avisado any more.
create index notificacao_assunto on notificacao (assunto text_pattern_ops) where lida_em is null;

-- `tema` and the subjects below it: 'capacidade:3:LER' is below 'capacidade:3'. `mantida`: the occurrence told now.
create function retira_avisos(tema text, apaga boolean default false, mantida text default null) returns void
language sql as $$
  with esquecidas as (
    delete from aviso_sistema using regexp_replace(tema, '^sistema:', '') nome
    where (causa = nome or starts_with(causa, nome || ':')) and ocorrencia is distinct from mantida
  ), apagadas as (
    delete from notificacao
    where apaga and lida_em is null and (assunto = tema or starts_with(assunto, tema || ':'))
    returning id_usuario
  ), lidas as (
    update notificacao set lida_em = now()
    where not apaga and lida_em is null and (assunto = tema or starts_with(assunto, tema || ':'))
    returning id_usuario
  )
  update usuario set versao_notificacoes = versao_notificacoes + 1
  where id_usuario in (select id_usuario from apagadas union select id_usuario from lidas)
$$;

-- In triggers, so that no way of deleting an entity can forget it. Arguments: the column of its id, and its subjects.
create function retira_avisos_da_linha() returns trigger language plpgsql as $$
declare tema text;
begin
  foreach tema in array tg_argv[1]::text[] loop
    perform retira_avisos(tema || ':' || (to_jsonb(old) ->> tg_argv[0]));
  end loop;
  return null;
end $$;
do $$
declare tabela text; coluna text; temas text;
begin
  for tabela, coluna, temas in values
    ('usuario', 'id_usuario', '{usuario}'),
    ('powerbi', 'id_power_bi', '{powerbi,atualizacao,sistema:segredo:powerbi}'),
    ('capacidade', 'id_capacidade', '{capacidade}'),
    ('agenda_dados', 'report_id', '{agenda-dados}'),
    ('assinatura', 'id_assinatura', '{assinatura}'),
    ('alerta', 'id_alerta', '{alerta}'),
    ('chave_api', 'id_chave', '{chave}')
  loop
    execute format('create trigger %1$s_retira_avisos after delete on %1$s for each row
      execute function retira_avisos_da_linha(%2$L, %3$L)', tabela, coluna, temas);
  end loop;
end $$;

-- All open requests share one notification.
create function retira_pedidos() returns trigger language plpgsql as $$
begin
  if not exists (select from pedido_acesso where situacao = 'ABERTO') then
    perform retira_avisos('pedidos-acesso', true);
  end if;
  return null;
end $$;
create trigger pedido_acesso_retira_avisos after delete or update on pedido_acesso
  for each statement execute function retira_pedidos();
