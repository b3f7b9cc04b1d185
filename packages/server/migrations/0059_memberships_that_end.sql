-- Memberships of profiles with an end; null: none. From vence_em on, they count no more.
alter table perfil_usuario add column vence_em timestamptz;
create index perfil_usuario_vence on perfil_usuario (id_usuario, vence_em) where vence_em is not null;

-- A membership that is updated concerns its person, as a grant does (0049).
drop trigger membros_mudam_catalogo on perfil_usuario;
create trigger membros_mudam_catalogo after update of id_usuario, id_perfil or truncate on perfil_usuario
  for each statement execute function muda_catalogo();
create trigger membro_mudado_muda_acesso after update on perfil_usuario
  referencing new table as mudadas for each statement execute function muda_acesso();
