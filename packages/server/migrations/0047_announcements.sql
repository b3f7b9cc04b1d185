-- Announcements of the administrators ('Avisos'): a banner below the top bar, or a notification of the bell.
create table aviso (
  id_aviso integer generated always as identity primary key,
  titulo text not null,
  titulo_ordem text collate "C" generated always as (sem_acento(titulo)) stored,
  titulo_natural text collate "C" generated always as (ordem_natural(titulo)) stored,
  -- A part of Markdown.
  texto text not null,
  -- Shown from inicio until just before fim.
  inicio timestamptz not null,
  fim timestamptz not null,
  -- 'TODOS', 'ADMINISTRADORES', 'USUARIOS', or 'PERFIS': the members of aviso_perfil
  publico text not null,
  -- 'FAIXA' or 'SINO'
  forma text not null,
  -- Also shown on the sign-in page.
  manutencao boolean not null default false,
  -- Open windows were told of the banner since it began.
  divulgado boolean not null default false,
  versao integer not null default 1,
  check (inicio < fim)
);
create index aviso_fim on aviso (fim);

create table aviso_perfil (
  id_aviso integer not null references aviso on delete cascade,
  id_perfil integer not null references perfil on delete cascade,
  primary key (id_aviso, id_perfil)
);
create index aviso_perfil_perfil on aviso_perfil (id_perfil);

-- A person who got the announcement in the bell, or has read it.
create table aviso_pessoa (
  id_aviso integer not null references aviso on delete cascade,
  id_usuario integer not null references usuario on delete cascade,
  -- Null: in the bell, not read yet.
  lido_em timestamptz,
  primary key (id_aviso, id_usuario)
);
create index aviso_pessoa_usuario on aviso_pessoa (id_usuario);
create index aviso_pessoa_por_ler on aviso_pessoa (id_aviso) where lido_em is null;
