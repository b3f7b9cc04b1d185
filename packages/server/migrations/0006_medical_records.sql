-- Medical records: beneficiaries, prontuários, anexos, who read them, and the officer's register of incidents. Whatever names
-- a patient or says something of them is sealed (AES-256-GCM); a beneficiary is found by keyed digests.

alter table usuario add column encarregado_dados boolean not null default false;

create table beneficiario (
  id integer generated always as identity primary key,
  -- Sealed JSON: name, id at the plan, birth date, sex, plan, operadora.
  dados text not null,
  marca_id text not null,
  -- Of the full name, without accents and case.
  marca_nome text not null,
  cadastrado_em timestamptz not null,
  -- Names of authors are kept with what they wrote, here and below: the record outlives their account.
  id_autor integer not null,
  autor text not null,
  id_alterado_por integer,
  alterado_por text,
  alterado_em timestamptz,
  -- The day of the last record or attachment, from which the years of keeping count; null where there is none.
  ultimo_registro date,
  versao integer not null default 1
);
create unique index beneficiario_id_unico on beneficiario (marca_id);
create index beneficiario_nome on beneficiario (marca_nome);
create index beneficiario_retencao on beneficiario (ultimo_registro, id) where ultimo_registro is not null;

-- Earlier versions; the current one stands in its row.
create table beneficiario_versao (
  id integer generated always as identity primary key,
  beneficiario integer not null references beneficiario,
  versao integer not null,
  dados text not null,
  id_autor integer not null,
  autor text not null,
  em timestamptz not null,
  unique (beneficiario, versao)
);

create table prontuario (
  id integer generated always as identity primary key,
  beneficiario integer not null references beneficiario,
  -- Sealed JSON: specialty, risks, description, prescription.
  conteudo text not null,
  -- Of America/Sao_Paulo.
  data_prontuario date not null,
  id_autor integer not null,
  autor text not null,
  registrado_em timestamptz not null,
  id_alterado_por integer,
  alterado_por text,
  alterado_em timestamptz,
  id_arquivado_por integer,
  arquivado_por text,
  arquivado_em timestamptz,
  -- Sealed.
  motivo text,
  versao integer not null default 1
);
create index prontuario_por_data on prontuario (data_prontuario desc, id desc) where arquivado_em is null;
create index prontuario_do_beneficiario on prontuario (beneficiario, data_prontuario desc, id desc);

-- Earlier versions; the current one stands in its record.
create table prontuario_versao (
  id integer generated always as identity primary key,
  prontuario integer not null references prontuario,
  versao integer not null,
  conteudo text not null,
  id_autor integer not null,
  autor text not null,
  em timestamptz not null,
  unique (prontuario, versao)
);

create table anexo (
  id integer generated always as identity primary key,
  beneficiario integer references beneficiario,
  -- Sealed JSON: title, description.
  dados text not null,
  tipo_anexo text not null check (tipo_anexo in ('IMG', 'PDF')),
  tipo_usuario text not null check (tipo_usuario in ('ADMIN', 'USER')),
  data_anexo date not null,
  -- Name of the file in the store; null where none was sent.
  arquivo uuid unique,
  -- The file's own key, sealed: a rotation of the installation's keys touches no file.
  chave_arquivo text,
  formato text,
  tamanho_bytes integer,
  id_autor integer not null,
  autor text not null,
  enviado_em timestamptz not null,
  id_arquivado_por integer,
  arquivado_por text,
  arquivado_em timestamptz,
  motivo text,
  check ((arquivo is null) = (chave_arquivo is null))
);
create index anexo_por_data on anexo (data_anexo desc, id desc) where arquivado_em is null;
create index anexo_por_tipo on anexo (tipo_anexo, data_anexo desc, id desc) where arquivado_em is null;
create index anexo_do_beneficiario on anexo (beneficiario, data_anexo desc, id desc);

-- Files on their way into the store: written before the file is, gone in the transaction that makes it an attachment's.
-- What is left of a crash is deleted from the store by these names.
create table arquivo_pendente (
  arquivo uuid primary key,
  criado_em timestamptz not null
);

-- Who read or changed what, of whom, when and why. Only ever added to.
create table acesso_saude (
  id_acesso bigint generated always as identity primary key,
  quando timestamptz not null,
  id_usuario integer not null,
  nome_usuario text not null,
  acao text not null,
  objeto text not null check (objeto in ('beneficiario', 'prontuario', 'anexo')),
  id_objeto integer not null,
  -- Null for an attachment that belongs to nobody.
  beneficiario integer references beneficiario,
  -- 'Outro' has a text, which may name somebody: sealed.
  finalidade text not null check (finalidade in ('atendimento', 'auditoria', 'regulacao', 'outro', 'nao_informada')),
  finalidade_texto text,
  id_requisicao text
);
create index acesso_saude_beneficiario on acesso_saude (beneficiario, id_acesso desc);

create table incidente (
  id integer generated always as identity primary key,
  -- Sealed JSON: title, description, data affected, measures, why it was not told.
  conteudo text not null,
  conhecido_em timestamptz not null,
  ocorrido_em timestamptz,
  titulares_afetados integer,
  gravidade text not null check (gravidade in ('baixo', 'medio', 'alto')),
  exige_comunicacao boolean not null,
  comunicado_anpd_em timestamptz,
  comunicado_titulares_em timestamptz,
  encerrado_em timestamptz,
  id_autor integer not null,
  autor text not null,
  registrado_em timestamptz not null,
  versao integer not null default 1
);

-- With which keys a large table is sealed is read from an index alone, at every start.
create index beneficiario_chave on beneficiario (split_part(nullif(dados, ''), '.', 2));
create index beneficiario_versao_chave on beneficiario_versao (split_part(nullif(dados, ''), '.', 2));
create index prontuario_chave on prontuario (split_part(nullif(conteudo, ''), '.', 2));
create index prontuario_motivo_chave on prontuario (split_part(nullif(motivo, ''), '.', 2)) where motivo is not null;
create index prontuario_versao_chave on prontuario_versao (split_part(nullif(conteudo, ''), '.', 2));
create index anexo_chave on anexo (split_part(nullif(dados, ''), '.', 2));
create index anexo_arquivo_chave on anexo (split_part(nullif(chave_arquivo, ''), '.', 2)) where chave_arquivo is not null;
create index anexo_motivo_chave on anexo (split_part(nullif(motivo, ''), '.', 2)) where motivo is not null;
create index acesso_saude_chave on acesso_saude (split_part(nullif(finalidade_texto, ''), '.', 2))
  where finalidade_texto is not null;

-- Lists count what is not archived.
insert into total_linhas (tabela, total) values ('beneficiario', 0), ('prontuario', 0), ('anexo', 0);
create trigger beneficiario_conta_novas after insert on beneficiario
  referencing new table as novas for each statement execute function conta_linhas();
create trigger beneficiario_conta_velhas after delete on beneficiario
  referencing old table as velhas for each statement execute function conta_linhas();
create trigger beneficiario_conta_nada after truncate on beneficiario
  for each statement execute function conta_linhas();
create function conta_ativas() returns trigger language plpgsql as $$
declare
  mudanca bigint := 0;
begin
  if tg_op = 'TRUNCATE' then
    update total_linhas set total = 0 where tabela = tg_table_name;
    return null;
  end if;
  if tg_op <> 'DELETE' then
    mudanca := mudanca + (select count(*) from novas where arquivado_em is null);
  end if;
  if tg_op <> 'INSERT' then
    mudanca := mudanca - (select count(*) from velhas where arquivado_em is null);
  end if;
  if mudanca <> 0 then
    update total_linhas set total = total + mudanca where tabela = tg_table_name;
  end if;
  return null;
end $$;
create trigger prontuario_conta_novas after insert on prontuario
  referencing new table as novas for each statement execute function conta_ativas();
create trigger prontuario_conta_mudadas after update on prontuario
  referencing old table as velhas new table as novas for each statement execute function conta_ativas();
create trigger prontuario_conta_velhas after delete on prontuario
  referencing old table as velhas for each statement execute function conta_ativas();
create trigger prontuario_conta_nada after truncate on prontuario for each statement execute function conta_ativas();
create trigger anexo_conta_novas after insert on anexo
  referencing new table as novas for each statement execute function conta_ativas();
create trigger anexo_conta_mudadas after update on anexo
  referencing old table as velhas new table as novas for each statement execute function conta_ativas();
create trigger anexo_conta_velhas after delete on anexo
  referencing old table as velhas for each statement execute function conta_ativas();
create trigger anexo_conta_nada after truncate on anexo for each statement execute function conta_ativas();
