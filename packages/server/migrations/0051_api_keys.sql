-- API keys ('Chaves de API'): programs call the portal as the person who made the key (docs/decisions/0071).
create table chave_api (
  id_chave integer generated always as identity primary key,
  id_usuario integer not null references usuario on delete cascade,
  nome text not null,
  nome_ordem text collate "C" generated always as (sem_acento(nome)) stored,
  nome_natural text collate "C" generated always as (ordem_natural(nome)) stored,
  -- Its first characters, by which the owner recognises it.
  prefixo text not null,
  -- The key is known by its digest only.
  marca text not null,
  -- Groups of calls.
  grupos text[] not null,
  -- Addresses and networks in CIDR notation from which the key may be used. An empty list allows all.
  redes text[] not null default '{}',
  -- How the session began that made it, 'senha' or 'provedor': the rule for a second factor applies
  -- as to that session.
  metodo text not null,
  criada_em timestamptz not null,
  expira_em timestamptz not null,
  -- The last use, to within a minute, and from which address.
  usada_em timestamptz,
  usada_de text,
  -- The owner was told that it expires soon.
  avisada boolean not null default false
);
create unique index chave_api_marca on chave_api (marca);
create unique index chave_api_nome_unico on chave_api (id_usuario, nome_ordem);
create index chave_api_vencimento on chave_api (expira_em);

-- One row.
create table regras_chaves (
  unico boolean primary key default true check (unico),
  -- People who are no ADMIN may make and use keys.
  pessoas boolean not null default false,
  -- The MCP server answers.
  mcp boolean not null default false,
  versao integer not null default 1
);
insert into regras_chaves default values;
