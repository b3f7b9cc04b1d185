-- Accounts: links of e-mails, second factors, identities of a provider, messages waiting to be sent, notifications; the
-- chain that the audit trail is sealed with.

-- A password that somebody else typed works, and a new one is asked for at the first sign-in.
alter table usuario add column trocar_senha boolean not null default false;
-- When the account was asked for with the public form, or its owner last told that somebody did so again.
alter table usuario add column pedida_em timestamptz;

alter table sessao add column metodo text not null default 'senha' check (metodo in ('senha', 'provedor'));

-- Single use: the row goes when the link is used, and when a newer one of its kind is made.
create table link_conta (
  -- Keyed digest of the token; the token itself is only in the e-mail.
  marca text primary key,
  id_usuario integer not null references usuario on delete cascade,
  tipo text not null check (tipo in ('recuperacao', 'convite')),
  criado_em timestamptz not null,
  expira_em timestamptz not null
);
create index link_conta_usuario on link_conta (id_usuario);
create index link_conta_fim on link_conta (expira_em);

create table segundo_fator (
  id_usuario integer primary key references usuario on delete cascade,
  -- The TOTP secret, sealed.
  segredo text not null,
  -- Null until a code has shown that the person's device knows the secret.
  ativo_em timestamptz,
  -- The time step of the last code taken: none is taken twice.
  ultimo_passo bigint not null default 0
);

create table codigo_recuperacao (
  id_usuario integer not null references segundo_fator on delete cascade,
  marca text not null,
  usado_em timestamptz,
  primary key (id_usuario, marca)
);

-- Who the identity provider says somebody is.
create table identidade_externa (
  emissor text not null,
  sujeito text not null,
  id_usuario integer not null references usuario on delete cascade,
  ligada_em timestamptz not null,
  primary key (emissor, sujeito)
);
create index identidade_externa_usuario on identidade_externa (id_usuario);

-- One row: the rules of this installation that its administrators set.
create table configuracao (
  unico boolean primary key default true check (unico),
  segundo_fator text not null default 'opcional' check (segundo_fator in ('opcional', 'administradores', 'todos')),
  versao integer not null default 1
);
insert into configuracao default values;

-- E-mails on their way. The row goes when the message is handed over.
create table mensagem (
  id_mensagem bigint generated always as identity primary key,
  -- To whom and what, sealed: it may carry a link.
  conteudo text not null,
  criada_em timestamptz not null,
  proxima_em timestamptz not null,
  tentativas integer not null default 0,
  erro text
);
create index mensagem_proxima on mensagem (proxima_em);

create table notificacao (
  id_notificacao bigint generated always as identity primary key,
  id_usuario integer not null references usuario on delete cascade,
  tipo text not null,
  titulo text not null,
  texto text not null,
  rota text,
  -- What it is about, where a second one of the same would only repeat the first while that is unread.
  assunto text,
  criada_em timestamptz not null,
  lida_em timestamptz
);
create index notificacao_usuario on notificacao (id_usuario, id_notificacao);
create index notificacao_nao_lida on notificacao (id_usuario) where lida_em is null;
create unique index notificacao_assunto_unico on notificacao (id_usuario, assunto) where lida_em is null;
create index notificacao_quando on notificacao (criada_em);
-- Raised with each notification, and each that is read: open windows hear of it.
alter table usuario add column versao_notificacoes bigint not null default 0;

-- How many calls busy sessions and addresses made in their current minute, over all processes (http/shared-call-counts.ts).
-- Unlogged: a minute's counts are not worth the disk.
create unlogged table contagem_chamadas (
  -- Keyed digest of the session or address.
  chave text primary key,
  inicio timestamptz not null,
  total integer not null
);

-- Each row of the trail is marked by the process that wrote it, and sealed soon after into a chain (auditoria_elo).
alter table auditoria add column evento text;
alter table auditoria add column chave text;
alter table auditoria add column marca text;
create unique index auditoria_evento on auditoria (evento);
create index auditoria_pessoa on auditoria (id_usuario, id_auditoria);
create index auditoria_acao on auditoria (acao, id_auditoria);

-- Rows not in the chain yet. Whoever seals them takes them from here.
create table auditoria_fila (
  id_auditoria bigint primary key
);
insert into auditoria_fila select id_auditoria from auditoria;

create table auditoria_elo (
  ordem bigint primary key,
  id_auditoria bigint not null,
  chave text not null,
  -- Keyed digest of the link before it, its own place and the row.
  elo text not null
);
create unique index auditoria_elo_linha on auditoria_elo (id_auditoria);

-- Where the chain begins (after rows were dropped for their age) and where it ends, each with a keyed digest of its own.
create table auditoria_ponta (
  ponta text primary key check (ponta in ('inicio', 'fim')),
  ordem bigint not null,
  elo text not null,
  chave text not null,
  marca text not null
);
