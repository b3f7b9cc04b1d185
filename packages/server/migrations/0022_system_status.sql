-- How e-mails fare, one row for the installation: since when the mail server takes nothing.
create table correio (
  unico boolean primary key default true check (unico),
  entregue_em timestamptz,
  falhando_desde timestamptz,
  codigo text,
  motivo text
);

-- E-mails that failed at least once, for a week: codes alone, neither address nor content.
create table falha_email (
  id_mensagem bigint primary key,
  modelo text not null,
  codigo text not null,
  motivo text not null,
  em timestamptz not null,
  desfecho text not null check (desfecho in ('aguardando', 'desistiu', 'entregue'))
);
create index falha_email_em on falha_email (em);

-- The last e-mail to a person that was not delivered, until one is.
create table email_nao_entregue (
  id_usuario integer primary key references usuario on delete cascade,
  -- In lower case. A person whose address has changed since has nothing undelivered.
  email text not null,
  codigo text not null,
  motivo text not null,
  em timestamptz not null
);

-- The last 'Testar conexão' of each connection.
create table teste_conexao (
  id_power_bi integer primary key references powerbi on delete cascade,
  -- Of the connection when it was tested: an edited one has to be tested again.
  versao integer not null,
  em timestamptz not null,
  resultado text not null check (resultado in ('ok', 'falha', 'parcial')),
  -- What was found, or what is wrong and what to do.
  detalhe text not null
);

-- The day on which the secret expires at the provider.
alter table powerbi add column validade_segredo date;

-- What the administrators have been told of: once for each cause, by whichever process is first.
create table aviso_sistema (
  causa text primary key,
  -- Tells one occurrence of the cause from the next, such as the date of expiry.
  ocorrencia text not null,
  em timestamptz not null
);
